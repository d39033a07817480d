import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { look } from './rows';

/** Attempts begun side by side, of which one is to be the result (R15.1). */
export function raceContract(world: World): void {
  const hold = (ref: AttemptRef, n = 1) => look(world().port(), ref, (tx) => tx.holdRace(), { n });
  const endAs = (ref: AttemptRef, state: 'COMPLETED' | 'FAILED', reason: 'success' | 'failed') =>
    world()
      .port()
      .transact(ref, { n: 900 }, async (tx) => {
        if (state === 'COMPLETED') await tx.cancelRivals(`${ref.id} is the result.`);
        tx.update({ state, reason, ended: true });
        tx.emit({ type: 'ended', payload: { state, reason } });
      });
  const three = async () => {
    const [first, second, third] = await world().race(3);
    if (!first || !second || !third) throw new Error('Three were to be begun.');
    return [first, second, third] as const;
  };
  const messages = (ref: AttemptRef) =>
    look(world().port(), ref, (tx) => tx.messages.map(({ id, kind, body, takenBy }) => ({ id, kind, body, takenBy })));

  test('R15.1 one of them holds the race at a time, until it lets go or ends without a result', async () => {
    const [first, second, third] = await three();
    expect([await hold(first), await hold(first, 2), await hold(second)]).toEqual(['mine', 'mine', 'busy']);
    await look(world().port(), second, (tx) => tx.leaveRace()); // it is not its to let go of
    expect(await hold(second)).toBe('busy');
    await look(world().port(), first, (tx) => tx.leaveRace());
    expect(await hold(second)).toBe('mine');
    await endAs(second, 'FAILED', 'failed');
    expect(await hold(third)).toBe('mine');
    await endAs(third, 'COMPLETED', 'success');
    expect(await hold(first)).toBe('lost');
  });

  test('R15.1 who asks while another asks does not wait for it', async () => {
    const [first, second] = await three();
    await world()
      .port()
      .transact(first, { n: 1 }, async (tx) => {
        expect(await tx.holdRace()).toBe('mine');
        expect(await hold(second)).toBe('busy');
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await hold(second)).toBe('mine');
  });

  test('R15.1, M4 the others are cancelled with the end of the one that won, and those that have ended are left alone', async () => {
    const [first, second, third] = await three();
    await endAs(first, 'FAILED', 'failed');
    await endAs(second, 'COMPLETED', 'success');
    const body = { by: 'holdfast', reason: `${second.id} is the result.` };
    expect(await messages(third)).toEqual([{ id: `race/${second.id}`, kind: 'cancel', body, takenBy: null }]);
    expect([await messages(first), await messages(second)]).toEqual([[], []]);
  });

  test('R15.1 an attempt that was begun alone is in no race', async () => {
    await expect(hold(await world().attempt())).rejects.toThrow('begun alone');
  });
}
