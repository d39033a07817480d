import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { look } from './rows';

export function eventContract(world: World): void {
  const emit = (ref: AttemptRef, n: number, ...ids: string[]) =>
    look(
      world().port(),
      ref,
      (tx) => {
        for (const messageId of ids) tx.emit({ type: 'message_taken', payload: { messageId, kind: 'say' } });
      },
      { n },
    );

  test('R10.1 sequences have no gap, and positions within a move go on over its transactions', async () => {
    const ref = await world().attempt();
    await emit(ref, 1, 'a', 'b');
    await emit(ref, 1, 'c');
    await emit(ref, 2, 'd');

    expect((await world().events(ref)).map(({ sequence, move, k }) => [sequence, move, k])).toEqual([
      [1, 0, 0],
      [2, 1, 0],
      [3, 1, 1],
      [4, 1, 2],
      [5, 2, 0],
    ]);
  });

  test('R10.1 what was rolled back leaves no gap', async () => {
    const ref = await world().attempt();
    const failing = look(world().port(), ref, (tx) => {
      tx.emit({ type: 'message_taken', payload: { messageId: 'lost', kind: 'say' } });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await emit(ref, 1, 'a');
    expect((await world().events(ref)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('R10.4 an event says where the attempt stood, and who may see it', async () => {
    const ref = await world().attempt();
    await look(
      world().port(),
      ref,
      (tx) => {
        tx.update({ turn: 2, step: 5 });
        tx.emit({ type: 'execution_lost', payload: { move: 4, kind: 'act' } }, 'operator');
      },
      { n: 4 },
    );
    expect((await world().events(ref)).at(-1)).toEqual({
      sequence: 2,
      move: 4,
      k: 0,
      type: 'execution_lost',
      turn: 2,
      step: 5,
      visibility: 'operator',
      payload: { move: 4, kind: 'act' },
    });
  });
}
