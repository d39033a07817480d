import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewEffect } from '../../../src/activities/ledger-port';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { claimed, freshOperation, refund, sceneOf } from './effect-rows';
import { action, hashOf, look, toolTry } from './rows';

/** What attempts of one task know of each other's effects: kin (E1, R12.3). */
export function kinContract(world: World): void {
  const asked = { tool: 'create_refund', argsHash: hashOf('a') };
  let tasks = 0;
  const freshTask = () => `kin-${++tasks}`;
  const keyOf = (ref: AttemptRef, step = 9, of = asked) => look(world().port(), ref, (tx) => tx.kinKey(of, step, 0));
  const complete = (ref: AttemptRef) =>
    world()
      .port()
      .transact(ref, { n: 900 }, (tx) => {
        tx.update({ state: 'COMPLETED', reason: 'success', ended: true });
        tx.emit({ type: 'ended', payload: { state: 'COMPLETED', reason: 'success' } });
      });
  const fromPast = (from: AttemptRef, ...ancestors: AttemptRef[]) => ({
    forkedFrom: { attempt: from.id, n: 1, snapshot: null, ancestors: [...ancestors, from].map(({ key }) => key) },
  });
  /** An effect of the attempt that took place, or came to what `change` says. */
  async function did(ref: AttemptRef, n = 1, change: Partial<NewEffect> = {}) {
    const [worker, port] = [await world().worker(), world().port()];
    const row = await claimed(port, ref, worker, { ...freshOperation(), step: n, phase: 'SENT', ...change }, n);
    await port.transact(ref, { n }, (tx) => tx.updateEffect(row, 1, { phase: 'COMMITTED', committed: true }));
    return row;
  }

  test('E1, R12.3 of what a kin did that stands, each call is answered by one, whatever else was asked for', async () => {
    const [worker, port, task] = [await world().worker(), world().port(), freshTask()];
    const [other, ref] = [await world().attempt({ task }), await world().attempt({ task })];
    const phases = ['COMMITTED', 'COMPENSATION_FAILED', 'NOT_COMMITTED', 'COMPENSATED'] as const;
    const operations = phases.map(() => freshOperation());
    for (const [at, phase] of phases.entries()) {
      const n = at + 1;
      const row = await claimed(port, other, worker, { ...operations[at], step: n, phase: 'SENT' }, n);
      await port.transact(other, { n }, (tx) => tx.updateEffect(row, 1, { phase }));
    }
    expect(await keyOf(ref, 1)).toBe(operations[0]?.key);
    expect(await keyOf(ref, 1, { ...asked, argsHash: hashOf('b') })).toBeUndefined();
    expect(await keyOf(ref, 1, { ...asked, tool: 'other' })).toBeUndefined();

    // The arguments were written in another way each time; the operation was the same.
    const answer = (n: number, step: number, reused: string | undefined) =>
      port.transact(ref, { n }, (tx) => {
        tx.insert('actions', action({ step, args_hash: hashOf(String(step)) }));
        const closed = { outcome: 'not_run', failure: 'REUSED' } as const;
        tx.insert('tool_tries', toolTry({ step, sent: false, closed, ...(reused !== undefined && { reused }) }));
        tx.emit({ type: 'action_started', payload: { index: 0, tool: 'create_refund', try: 1 } });
      });
    await answer(2, 1, operations[0]?.key);
    expect(await keyOf(ref, 2)).toBe(operations[1]?.key);
    await answer(3, 2, operations[1]?.key);
    expect(await keyOf(ref, 3)).toBeUndefined();

    const own = await claimed(port, ref, worker, { ...freshOperation(), step: 3 }, 4);
    expect(await keyOf(ref, 3)).toBe(own.key);
    // What it gave back before it sent it may have been done by a kin meanwhile.
    await port.transact(ref, { n: 5 }, (tx) => tx.updateEffect(own, 1, { phase: 'NOT_COMMITTED', sent: null }));
    expect(await keyOf(ref, 3)).toBe(own.key);
    const later = await did(other, 8);
    expect(await keyOf(ref, 3)).toBe(later.key);
  });

  test('R3.4 the repairs of kin are counted, and who counts them waits for whoever counted before', async () => {
    const task = freshTask();
    const [first, second] = [await world().attempt({ task }), await world().attempt({ task })];
    const alone = await world().attempt({ task: freshTask() });
    const repaired = (ref: AttemptRef, more = async () => {}) =>
      look(world().port(), ref, async (tx) => {
        const others = await tx.kinRepairs();
        await more();
        tx.update({ account: { ...tx.attempt.account, repairs: tx.attempt.account.repairs + 1 } });
        return others;
      });
    expect([await repaired(first), await repaired(alone), await repaired(second)]).toEqual([0, 0, 1]);

    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let looked = false;
    const slow = repaired(first, async () => {
      looked = true;
      await gate;
    });
    while (!looked) await sleep(1);
    const quick = repaired(second);
    await sleep(20);
    go();
    expect([await slow, await quick]).toEqual([1, 2]);
  });

  test('E1 kin are seen from both sides, also those that began later and run', async () => {
    const task = freshTask();
    const first = await world().attempt({ task });
    const row = await did(first);
    expect(await keyOf(first)).toBeUndefined(); // its own: it means to do it again
    const second = await world().attempt({ task });
    expect(await keyOf(second)).toBe(row.key);
    const later = await did(second, 2, { argsHash: hashOf('b') });
    expect(await keyOf(first, 9, { ...asked, argsHash: hashOf('b') })).toBe(later.key);
    expect(await keyOf(await world().attempt({ task: freshTask() }))).toBeUndefined();
    expect(await keyOf(await world().attempt({ task, tenant: 'other' }))).toBeUndefined();
  });

  test('E1 what a task is begun again for after it was COMPLETED is begun afresh; what a fork comes from binds it', async () => {
    const task = freshTask();
    const first = await world().attempt({ task });
    const row = await did(first);
    await complete(first);
    const again = await world().attempt({ task });
    expect(await keyOf(again)).toBeUndefined();
    const fork = await world().attempt({ task, ...fromPast(first) });
    expect(await keyOf(fork)).toBe(row.key);
    const other = await did(again, 2, { argsHash: hashOf('b') });
    expect(await keyOf(fork, 9, { ...asked, argsHash: hashOf('b') })).toBe(other.key);
  });

  test('E1 an attempt that was COMPLETED beside one that runs stays its kin', async () => {
    const task = freshTask();
    const [first, second] = [await world().attempt({ task }), await world().attempt({ task })];
    const row = await did(first);
    await complete(first);
    expect(await keyOf(second)).toBe(row.key);
    // The third begins afresh, and is not looked at by the second either.
    const third = await world().attempt({ task });
    expect(await keyOf(third)).toBeUndefined();
    await did(third, 3, { argsHash: hashOf('c') });
    const of = { ...asked, argsHash: hashOf('c') };
    expect(await keyOf(first, 9, of)).toBeUndefined();
    expect(await keyOf(second, 9, of)).toBeDefined();
  });

  test('R12.3, E2 what a kin has claimed and may yet send binds, until it is given back', async () => {
    const [worker, port, task] = [await world().worker(), world().port(), freshTask()];
    const ancestor = await world().attempt({ task });
    const row = await claimed(port, ancestor, worker, freshOperation());
    const fork = await world().attempt({ task, ...fromPast(ancestor) });
    const seen = () => look(port, fork, async (tx) => (await tx.effectScene(sceneOf(row))).newest);

    expect(await keyOf(fork, 1)).toBe(row.key);
    expect(await seen()).toMatchObject({ phase: 'CLAIMED', ownerLive: true }); // it waits
    await worker.end();
    expect(await keyOf(fork, 1)).toBe(row.key);
    expect(await seen()).toMatchObject({ phase: 'CLAIMED', ownerLive: false }); // it takes the key from the ancestor

    await port.transact(ancestor, { n: 2 }, (tx) => tx.updateEffect(row, 1, { phase: 'NOT_COMMITTED' }));
    expect(await keyOf(fork, 1)).toBeUndefined();
  });

  test('E1, E2 of kin that ask for one operation at once the second sees what the first claimed', async () => {
    const [worker, port, task] = [await world().worker(), world().port(), freshTask()];
    const [first, second] = [await world().attempt({ task }), await world().attempt({ task })];
    let seen: string | undefined | 'nothing yet' = 'nothing yet';
    let waiting: Promise<unknown> | undefined;
    const row = { ...freshOperation() };
    await port.transact(first, { n: 1 }, async (tx) => {
      expect(await tx.kinKey(asked, 1, 0)).toBeUndefined();
      waiting = look(world().port(), second, async (other) => {
        seen = await other.kinKey(asked, 1, 0);
      });
      await sleep(100);
      expect(seen).toBe('nothing yet');
      tx.claim({ id: randomUUID(), worker: worker.id, kind: 'act', argsHash: hashOf('c') });
      tx.insertEffect(refund(row));
    });
    await waiting;
    expect(seen).toBe(row.key);
  });

  test('E2 kin are asked before an effect is looked at, so that locks come in one order', async () => {
    const task = freshTask();
    const [, second] = [await world().attempt({ task }), await world().attempt({ task })];
    const looked = look(world().port(), second, async (tx) => {
      await tx.effectScene({ ...freshOperation(), step: 1, index: 0 });
      await tx.kinKey(asked, 1, 0);
    });
    await expect(looked).rejects.toThrow('Kin were asked after an effect was looked at');
  });
}
