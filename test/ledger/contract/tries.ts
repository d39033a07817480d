import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { hashOf, look, noUsage, openTry } from './rows';

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

  test('I2 a read does not see what its own transaction writes', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, async (tx) => {
      openTry(tx);
      expect(await tx.toolTry(1, 0, 1)).toBeUndefined();
    });
    expect(await look(world().port(), ref, (tx) => tx.toolTry(1, 0, 1))).toBeDefined();
  });

  test('R7.1 repeats are the other actions of the attempt with the same fingerprint', async () => {
    const [ref, other] = [await world().attempt(), await world().attempt()];
    const tried = (of: AttemptRef, step: number, index: number, fingerprint: string | null, tryNumber = 1) =>
      look(world().port(), of, (tx) => openTry(tx, { step, index, try: tryNumber, fingerprint }));
    await tried(ref, 1, 0, hashOf('1'));
    await tried(ref, 1, 0, hashOf('1'), 2);
    await tried(ref, 1, 1, hashOf('2'));
    await tried(ref, 2, 0, hashOf('1'));
    await tried(ref, 2, 1, null);
    await tried(other, 3, 0, hashOf('1'));
    const repeats = (fingerprint: string, step: number, index: number) =>
      look(world().port(), ref, (tx) => tx.repeats(fingerprint, step, index));

    expect(await repeats(hashOf('1'), 3, 0)).toBe(2);
    expect(await repeats(hashOf('1'), 2, 0)).toBe(1);
    expect(await repeats(hashOf('2'), 3, 0)).toBe(1);
    expect(await repeats(hashOf('3'), 3, 0)).toBe(0);
  });
}
