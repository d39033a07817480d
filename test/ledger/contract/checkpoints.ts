import { committedShownMax } from '../../../src/domain/checkpoint/checkpoint';
import type { World } from './contract-world';
import { claimed, freshOperation } from './effect-rows';
import { look, projection } from './rows';

/** What checkpoints are made of, and read from (R12.1). */
export function checkpointContract(world: World): void {
  test('R12.1 an attempt that has done nothing yet stands on nothing', async () => {
    const ref = await world().attempt();
    expect(await look(world().port(), ref, (tx) => tx.standing())).toEqual({
      evidence: [],
      effects: [],
      jobs: [],
      children: [],
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
}
