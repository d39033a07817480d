import type { World } from './contract-world';
import { claimed, freshOperation, sceneOf } from './effect-rows';
import { action, look, openTry } from './rows';

export function sendContract(world: World): void {
  test('E4 the sends of a generation are the tries of its action that reached SENT, each with its proof', async () => {
    const ref = await world().attempt();
    const row = await claimed(world().port(), ref, await world().worker(), freshOperation());
    const mark = (tryNumber: number, marked: { proven: true } | { sent: boolean }) =>
      look(world().port(), ref, (tx) => tx.markTry({ step: 1, index: 0, try: tryNumber, execution: 1 }, marked));
    const sends = async () =>
      (await look(world().port(), ref, (tx) => tx.effectScene(sceneOf(row)))).sends.map((sent) => [
        sent.try,
        sent.execution,
        sent.proven,
      ]);
    for (const tryNumber of [1, 2, 3])
      await look(world().port(), ref, (tx) => openTry(tx, { try: tryNumber, sent: tryNumber === 1 }));
    expect(await sends()).toEqual([[1, 1, false]]);

    await mark(2, { sent: true });
    await mark(3, { sent: true });
    await mark(1, { proven: true });
    await mark(3, { sent: false });
    expect(await sends()).toEqual([
      [1, 1, true],
      [2, 1, false],
    ]);
    const own = await look(world().port(), ref, (tx) => tx.effectOf(1, 0));
    expect(own?.sends.map((sent) => sent.at)).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test('E4 a try can be closed and marked in one transaction, in either order', async () => {
    const ref = await world().attempt();
    await claimed(world().port(), ref, await world().worker(), freshOperation());
    for (const tryNumber of [1, 2]) await look(world().port(), ref, (tx) => openTry(tx, { try: tryNumber }));
    await look(world().port(), ref, (tx) => {
      const key = { step: 1, index: 0, execution: 1 };
      tx.markTry({ ...key, try: 1 }, { proven: true });
      tx.closeToolTry({ ...key, try: 1 }, { outcome: 'error', failure: 'NO' });
      tx.closeToolTry({ ...key, try: 2 }, { outcome: 'transient' });
      tx.markTry({ ...key, try: 2 }, { sent: false });
    });
    expect(await look(world().port(), ref, (tx) => tx.effectOf(1, 0))).toMatchObject({
      sends: [{ try: 1, proven: true }],
    });
    for (const tryNumber of [1, 2])
      expect(await look(world().port(), ref, (tx) => tx.toolTry(1, 0, tryNumber))).toMatchObject({ closed: true });
  });

  test('R5.2 calls of a tool are counted over the attempts of a tenant, within a time, where they ran', async () => {
    const tool = 'counted';
    const [first, second] = [await world().attempt({ tenant: 'counts' }), await world().attempt({ tenant: 'counts' })];
    const elsewhere = await world().attempt({ tenant: 'counts-not' });
    for (const ref of [first, second, elsewhere]) {
      await look(world().port(), ref, (tx) => {
        for (const index of [0, 1, 2]) tx.insert('actions', action({ index, tool: index === 2 ? 'other' : tool }));
        openTry(tx, { index: 0 });
        openTry(tx, { index: 1, sent: false, closed: { outcome: 'not_run', failure: 'POLICY_DENIED' } });
        openTry(tx, { index: 2 });
      });
    }
    const calls = (withinMs: number) => look(world().port(), first, (tx) => tx.callsWithin(tool, withinMs));
    expect(await calls(3_600_000)).toBe(2);
    expect(await calls(0)).toBe(0);
  });
}
