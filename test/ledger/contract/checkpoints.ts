import { committedShownMax } from '../../../src/domain/checkpoint/checkpoint';
import type { World } from './contract-world';
import { claimed, freshOperation, sceneOf } from './effect-rows';
import { action, hashOf, look, projection, toolTry } from './rows';

/** What checkpoints are made of, and read from (R12.1), and what binds an attempt that was forked (R12.3). */
export function checkpointContract(world: World): void {
  test('R12.1 an attempt that has done nothing yet stands on nothing', async () => {
    const ref = await world().attempt();
    expect(await look(world().port(), ref, (tx) => tx.standing())).toEqual({
      evidence: [],
      effects: [],
      projection: 0,
      whole: null,
    });
    expect(await look(world().port(), ref, (tx) => tx.newestCheckpoint())).toBeUndefined();
  });

  test('R12.1 a checkpoint stands on the newest candidate, the newest projection, and the newest effects that took place', async () => {
    const [ref, worker, port] = [await world().attempt(), await world().worker(), world().port()];
    await port.transact(ref, { n: 1 }, (tx) => {
      const body = { detail: '' };
      tx.insert('evidence', { candidate: 1, criterion: 'tests', met: true, snapshot: null, body });
      tx.insert('evidence', { candidate: 2, criterion: 'tests', met: false, snapshot: null, body });
      tx.insert('projections', projection({ ordinal: 1 }));
      tx.insert('projections', projection({ ordinal: 2 }));
    });
    const open = await claimed(port, ref, worker, { ...freshOperation(), step: 1, phase: 'SENT' }, 2);
    await port.transact(ref, { n: 2 }, (tx) => tx.updateEffect(open, 1, { phase: 'UNKNOWN' }));
    for (let step = 2; step <= committedShownMax + 3; step += 1) {
      const n = step + 1;
      const row = await claimed(port, ref, worker, { ...freshOperation(), step, phase: 'SENT' }, n);
      await port.transact(ref, { n }, (tx) => tx.updateEffect(row, 1, { phase: 'COMMITTED', committed: true }));
    }
    await claimed(port, ref, worker, { ...freshOperation(), step: 40 }, 40); // claimed only

    const standing = await look(port, ref, (tx) => tx.standing());
    expect(standing).toMatchObject({ evidence: [{ criterion: 'tests', met: false }], projection: 2, whole: null });
    const committed = standing.effects.filter(({ phase }) => phase === 'COMMITTED');
    expect(committed).toHaveLength(committedShownMax + 1);
    expect(standing.effects[0]).toEqual({ step: committedShownMax + 3, index: 0, phase: 'COMMITTED' });
    expect(standing.effects.at(-1)).toEqual({ step: 1, index: 0, phase: 'UNKNOWN' });
  });

  test('R12.1 a short checkpoint comes with the whole one that it leans on, and the first one of a move stands', async () => {
    const [ref, port] = [await world().attempt(), world().port()];
    const write = (n: number, body: object) => port.transact(ref, { n }, (tx) => tx.insert('checkpoints', { n, body }));
    await write(1, { v: 2, name: 'whole' });
    expect(await look(port, ref, (tx) => tx.newestCheckpoint())).toMatchObject({
      n: 1,
      body: { name: 'whole' },
      base: null,
    });
    await write(2, { v: 2, like: 1, step: 3 });
    await write(2, { v: 2, name: 'again' });

    expect(await look(port, ref, (tx) => tx.newestCheckpoint())).toMatchObject({
      n: 2,
      body: { like: 1, step: 3 },
      base: { name: 'whole' },
    });
    expect((await look(port, ref, (tx) => tx.standing())).whole).toEqual({ n: 1, body: { v: 2, name: 'whole' } });
  });

  test('R12.3 only a fork inherits a key: the newest life of what an ancestor did, once for each time that it did it', async () => {
    const [worker, port] = [await world().worker(), world().port()];
    const ancestor = await world().attempt({ task: 'descends' });
    const operations = [freshOperation(), freshOperation(), freshOperation()] as const;
    for (const [at, operation] of operations.entries()) {
      const n = at + 1;
      const row = await claimed(port, ancestor, worker, { ...operation, step: n, phase: 'SENT' }, n);
      // The last one is known not to have happened; what could not be undone stands.
      const settled = [
        { phase: 'COMMITTED', committed: true },
        { phase: 'COMPENSATION_FAILED' },
        { phase: 'NOT_COMMITTED' },
      ] as const;
      await port.transact(ancestor, { n }, (tx) => tx.updateEffect(row, 1, settled[at] ?? settled[0]));
    }
    const fork = await world().attempt({
      task: 'descends',
      forkedFrom: { attempt: ancestor.id, n: 1, snapshot: null, ancestors: [ancestor.key] },
    });
    const asked = { tool: 'create_refund', argsHash: hashOf('a') };
    const keyOf = (step: number, of = asked) => look(port, fork, (tx) => tx.inheritedKey(of, step, 0));
    await port.transact(fork, { n: 1 }, (tx) => {
      for (const step of [1, 2, 3]) tx.insert('actions', action({ step }));
    });
    expect((await look(port, fork, (tx) => tx.attempt)).forkedFrom).toMatchObject({ attempt: ancestor.id });
    expect(await keyOf(1)).toBe(operations[0].key);
    expect(await keyOf(1, { ...asked, argsHash: hashOf('b') })).toBeUndefined();
    expect(await keyOf(1, { ...asked, tool: 'other' })).toBeUndefined();
    expect(await look(port, ancestor, (tx) => tx.inheritedKey(asked, 9, 0))).toBeUndefined();

    const reused = { outcome: 'not_run', failure: 'REUSED' } as const;
    const answer = (n: number, step: number) =>
      port.transact(fork, { n }, (tx) => {
        tx.insert('tool_tries', toolTry({ step, sent: false, closed: reused }));
        tx.emit({ type: 'action_started', payload: { index: 0, tool: 'create_refund', try: 1 } });
      });
    await answer(2, 1);
    expect(await keyOf(2)).toBe(operations[1].key);
    await answer(3, 2);
    expect(await keyOf(3)).toBeUndefined();

    const own = await claimed(port, fork, worker, { ...freshOperation(), step: 3 }, 4);
    expect(await keyOf(3)).toBe(own.key);
  });
  test('R12.3, E2 what an ancestor has claimed and may yet send binds its fork too, until it is given back', async () => {
    const [worker, port] = [await world().worker(), world().port()];
    const ancestor = await world().attempt({ task: 'prepares' });
    const row = await claimed(port, ancestor, worker, freshOperation());
    const fork = await world().attempt({
      task: 'prepares',
      forkedFrom: { attempt: ancestor.id, n: 1, snapshot: null, ancestors: [ancestor.key] },
    });
    await port.transact(fork, { n: 1 }, (tx) => tx.insert('actions', action()));
    const asked = { tool: row.tool, argsHash: row.argsHash };
    const keyOf = () => look(port, fork, (tx) => tx.inheritedKey(asked, 1, 0));
    const seen = () => look(port, fork, async (tx) => (await tx.effectScene(sceneOf(row))).newest);

    expect(await keyOf()).toBe(row.key);
    expect(await seen()).toMatchObject({ phase: 'CLAIMED', ownerLive: true }); // it waits
    await worker.end();
    expect(await keyOf()).toBe(row.key);
    expect(await seen()).toMatchObject({ phase: 'CLAIMED', ownerLive: false }); // it takes the key from the ancestor

    await port.transact(ancestor, { n: 2 }, (tx) => tx.updateEffect(row, 1, { phase: 'NOT_COMMITTED' }));
    expect(await keyOf()).toBeUndefined();
  });
}
