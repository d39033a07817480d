import type { NewChild } from '../../../src/activities/ledger-port';
import { defaultLimits } from '../../../src/domain/budget/account';
import type { Contract } from '../../../src/domain/contract/contract';
import type { World } from './contract-world';
import { action, look, observation } from './rows';

/** Child attempts, as a transaction of the parent reads and writes them (R15.1). */
export function childContract(world: World): void {
  const contract: Contract = {
    kind: 'dialog',
    goal: 'Count.',
    constraints: [],
    forbidden: [],
    tools: [],
    acceptance: [],
  };
  const share = { tokens: 10, costMicroUsd: 20, toolCalls: 3 };
  const begun = async () => {
    const [ref, port] = [await world().attempt(), world().port()];
    const { start } = await port.attempt(ref);
    const origin = { parent: ref.id, root: ref.key, depth: 1, snapshot: null };
    const task = `child-of-${ref.key}`;
    const asked: NewChild = { step: 1, index: 0, task, contract, limits: defaultLimits, share, start, origin };
    const child = await port.transact(ref, { n: 1 }, async (tx) => {
      tx.insert('actions', action({ step: 1, index: 0, tool: 'delegate' }));
      return await tx.newChild(asked);
    });
    return { ref, port, child, origin };
  };

  test('R15.1 a child is an attempt of its own, known to its parent and under its root, and nobody else has it', async () => {
    const { ref, port, child, origin } = await begun();
    const row = { step: 1, index: 0, ref: child, share, ended: false };
    expect(await look(port, ref, (tx) => tx.openChildren())).toEqual([row]);
    expect(await look(port, child, (tx) => tx.openChildren())).toEqual([]);
    expect(await port.attempt(child)).toMatchObject({ child: origin, state: 'CREATED', limits: defaultLimits });
    expect(await port.contract(child)).toEqual(contract);
    expect([
      await look(port, ref, (tx) => tx.liveChildren()),
      await look(port, child, (tx) => tx.liveChildren()),
    ]).toEqual([1, 1]);
  });

  test('R15.1 a child that has ended is open until its end was observed, and lives no more', async () => {
    const { ref, port, child } = await begun();
    const atWork = async () => (await look(port, ref, (tx) => tx.standing())).children;
    expect(await atWork()).toEqual([{ step: 1, index: 0, child: child.id }]);
    await port.transact(child, { n: 1 }, (tx) => {
      tx.update({ state: 'CANCELLED', reason: 'cancelled', ended: true });
      tx.emit({ type: 'ended', payload: { state: 'CANCELLED', reason: 'cancelled' } });
    });
    expect(await look(port, ref, (tx) => tx.openChildren())).toMatchObject([{ ref: child, ended: true }]);
    expect(await look(port, ref, (tx) => tx.liveChildren())).toBe(0);
    expect(await atWork()).toEqual([]);
    await port.transact(ref, { n: 2 }, (tx) => {
      tx.insert('observations', observation({ step: 1, index: 0 }));
      tx.emit({ type: 'action_finished', payload: { index: 0, tool: 'delegate', ok: true, bytes: 1 } });
    });
    expect(await look(port, ref, (tx) => tx.openChildren())).toEqual([]);
  });

  test('R14.4 a child is found by its name, also once its end was observed, and by nobody but its parent', async () => {
    const { ref, port, child } = await begun();
    expect(await port.child(ref, child.id)).toEqual(child);
    expect(await port.child(ref, ref.id)).toBeUndefined();
    expect(await port.child(child, child.id)).toBeUndefined();
  });

  test('R15.1 a transaction that fails makes no child', async () => {
    const { ref, port, child, origin } = await begun();
    const { start } = await port.attempt(child);
    const failing = port.transact(ref, { n: 2 }, async (tx) => {
      await tx.newChild({ step: 2, index: 0, task: 'never', contract, limits: defaultLimits, share, start, origin });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await look(port, ref, (tx) => tx.openChildren())).toHaveLength(1);
  });
}
