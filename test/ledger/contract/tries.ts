import type { AttemptRef } from '../../../src/protocol/ids';
import { until } from '../../support/gate';
import type { World } from './contract-world';
import { look, noUsage, openTry } from './rows';

/** Longer than any of these tests takes. */
const hourMs = 3_600_000;

export function tryContract(world: World): void {
  const reserved = { ...noUsage, inputTokens: 40, costMicroUsd: 7 };

  test('R6.2 a model try is open until it is closed, and its newest execution counts', async () => {
    const ref = await world().attempt();
    const see = () => look(world().port(), ref, (tx) => tx.modelTry(1, 1));
    const open = (execution: number) =>
      look(world().port(), ref, (tx) => {
        tx.insert('model_tries', { step: 1, try: 1, execution, model: 'm', reserved, purpose: 'step' });
      });

    expect(await see()).toBeUndefined();
    await open(1);
    expect(await see()).toEqual({ execution: 1, closed: false, reserved });
    await look(world().port(), ref, (tx) =>
      tx.closeModelTry({ step: 1, try: 1, execution: 1 }, { outcome: 'lost', usage: reserved }),
    );
    expect(await see()).toMatchObject({ execution: 1, closed: true });
    await open(2);
    expect(await see()).toMatchObject({ execution: 2, closed: false });
    expect(await look(world().port(), ref, (tx) => tx.modelTry(1, 2))).toBeUndefined();
  });

  test('R1.3 a tool try is open until it is closed, and its newest execution counts', async () => {
    const ref = await world().attempt();
    const see = (tryNumber = 1) => look(world().port(), ref, (tx) => tx.toolTry(1, 0, tryNumber));
    await look(world().port(), ref, (tx) => openTry(tx));
    expect(await see()).toEqual({ execution: 1, closed: false, reserved: noUsage });

    await look(world().port(), ref, (tx) => {
      tx.closeToolTry({ step: 1, index: 0, try: 1, execution: 1 }, { outcome: 'unknown', failure: 'TIMEOUT' });
    });
    expect(await see()).toMatchObject({ execution: 1, closed: true });
    await look(world().port(), ref, (tx) => openTry(tx, { execution: 2 }));
    expect(await see()).toMatchObject({ execution: 2, closed: false });
    expect(await see(2)).toBeUndefined();
  });

  test('a try that never ran is closed from the start', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, (tx) => openTry(tx, { sent: false, closed: { outcome: 'error', failure: 'X' } }));
    expect(await look(world().port(), ref, (tx) => tx.toolTry(1, 0, 1))).toMatchObject({ closed: true });
  });

  test('R9.3 the snapshots that the tries of one action acted on, without those that never ran', async () => {
    const [ref, other] = [await world().attempt(), await world().attempt()];
    const tried = (of: AttemptRef, row: Parameters<typeof openTry>[1]) =>
      look(world().port(), of, (tx) => openTry(tx, row));
    await tried(ref, { try: 1, snapshot: 'a1' });
    await tried(ref, { try: 1, execution: 2, snapshot: 'a1' });
    await tried(ref, { try: 2, snapshot: 'b2' });
    await tried(ref, { try: 3, snapshot: null });
    await tried(ref, { try: 4, snapshot: 'c3', sent: false, closed: { outcome: 'not_run', failure: 'X' } });
    await tried(ref, { index: 1, snapshot: 'd4' });
    await tried(other, { snapshot: 'e5' });
    const seen = await look(world().port(), ref, (tx) => tx.triedSnapshots(1, 0));
    expect([...seen].sort()).toEqual(['a1', 'b2']);
    expect(await look(world().port(), ref, (tx) => tx.triedSnapshots(9, 0))).toEqual([]);
  });

  test('I2 a read does not see what its own transaction writes', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, async (tx) => {
      openTry(tx);
      expect(await tx.toolTry(1, 0, 1)).toBeUndefined();
    });
    expect(await look(world().port(), ref, (tx) => tx.toolTry(1, 0, 1))).toBeDefined();
  });

  test('R6.1 a tenant’s cost is what all its attempts were billed and hold', async () => {
    const tenant = 'spender';
    const ref = await world().attempt({ tenant });
    const cost = (of: AttemptRef, since?: Date) => look(world().port(), of, (tx) => tx.tenantCost(since));
    const hold = (of: AttemptRef, step: number, reservedCostMicroUsd: number) =>
      look(world().port(), of, (tx) => {
        tx.insert('model_tries', { step, try: 1, execution: 1, model: 'm', reserved, purpose: 'step' });
        tx.update({ account: { ...tx.attempt.account, reservedCostMicroUsd } });
      });
    expect(await cost(ref)).toBe(0);
    const before = new Date(Date.now() - hourMs);
    await hold(ref, 1, 7);
    await look(world().port(), ref, (tx) => {
      const usage = { ...noUsage, costMicroUsd: 4 };
      tx.closeModelTry({ step: 1, try: 1, execution: 1 }, { outcome: 'failed', failure: 'X', usage });
      tx.update({ account: { ...tx.attempt.account, costMicroUsd: 4, reservedCostMicroUsd: 0 } });
    });
    const second = await world().attempt({ tenant });
    await hold(second, 1, 7);
    await hold(await world().attempt(), 1, 7);

    for (const one of [ref, second]) expect([await cost(one), await cost(one, before)]).toEqual([11, 11]);
    expect(await cost(ref, new Date(Date.now() + hourMs))).toBe(0);
  });

  test('R6.1 who looks at a tenant’s cost waits for whoever looked before', async () => {
    const tenant = 'racer';
    const [first, second] = [await world().attempt({ tenant }), await world().attempt({ tenant })];
    const order: string[] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = look(world().port(), first, async (tx) => {
      await tx.tenantCost(undefined);
      order.push('first looked');
      await gate;
      tx.insert('model_tries', { step: 1, try: 1, execution: 1, model: 'm', reserved, purpose: 'step' });
      tx.update({ account: { ...tx.attempt.account, reservedCostMicroUsd: 7 } });
    });
    await until(() => order.length === 1, 'the first look');
    const quick = look(world().port(), second, async (tx) => {
      const seen = await tx.tenantCost(undefined);
      order.push('second looked');
      return seen;
    });
    await look(world().port(), await world().attempt(), (tx) => tx.tenantCost(undefined)); // another tenant waits for nobody
    expect(order).toEqual(['first looked']);
    go();
    await slow;
    expect(await quick).toBe(7);
  });
}
