import type { Message } from '../../../src/protocol/messages';
import type { World } from './contract-world';
import { look } from './rows';

const say = (id: string): Message => ({ id, kind: 'say', body: { text: `Text ${id}.`, by: 'ana' } });

export function messageContract(world: World): void {
  test('M4 messages wait in the order in which they were stored, with the time', async () => {
    const ref = await world().attempt();
    for (const id of ['c', 'a', 'b']) await world().send(ref, say(id));
    const seen = await look(world().port(), ref, (tx) => tx.messages.map((message) => ({ ...message })));

    expect(seen).toEqual(
      ['c', 'a', 'b'].map((id) => ({
        ...say(id),
        takenBy: null,
        disposition: null,
        why: null,
        at: expect.any(Date),
      })),
    );
  });

  test('M4 a disposed message is seen by the move that disposed of it, and by who waits for its name', async () => {
    const ref = await world().attempt();
    await world().send(ref, say('a'));
    await world().send(ref, say('b'));
    await look(
      world().port(),
      ref,
      (tx) => {
        tx.dispose('a', 'taken');
        tx.dispose('b', 'rejected', 'Too late.');
        expect(tx.messages).toMatchObject([
          { id: 'a', takenBy: 3, disposition: 'taken', why: null },
          { id: 'b', takenBy: 3, disposition: 'rejected', why: 'Too late.' },
        ]);
      },
      { n: 3 },
    );
    const ids = (n: number, awaited?: string[]) =>
      look(world().port(), ref, (tx) => tx.messages.map(({ id }) => id), { n, ...(awaited ? { awaited } : {}) });

    expect(await ids(3)).toEqual(['a', 'b']);
    expect(await ids(4)).toEqual([]);
    expect(await ids(4, ['b', 'nobody'])).toEqual(['b']);
  });

  test('M5 what a move beside this one took is shown to it, from the first of them on', async () => {
    const ref = await world().attempt();
    for (const id of ['early', 'first', 'last']) await world().send(ref, say(id));
    for (const [n, id] of [
      [2, 'early'],
      [4, 'first'],
      [6, 'last'],
    ] as const)
      await look(world().port(), ref, (tx) => tx.dispose(id, 'taken'), { n });
    const shown = (scope: { n: number; beside?: number }) =>
      look(world().port(), ref, (tx) => tx.messages.map(({ id, takenBy }) => `${id} by ${takenBy}`), scope);

    expect(await shown({ n: 5 })).toEqual([]);
    expect(await shown({ n: 5, beside: 4 })).toEqual(['first by 4', 'last by 6']);
    expect(await shown({ n: 4, beside: 4 })).toEqual(['first by 4', 'last by 6']);
  });

  test('M4 a message typed by hand is stored by the transaction that brings it, once', async () => {
    const ref = await world().attempt();
    await world().send(ref, say('known'));
    const bring = (n: number) =>
      look(
        world().port(),
        ref,
        (tx) => {
          tx.insert('inbox', { id: 'known', kind: 'say', body: { text: 'Another.' } });
          tx.insert('inbox', { id: 'typed', kind: 'say', body: { text: 'Hand.' } });
          tx.insert('inbox', { id: 'typed', kind: 'say', body: { text: 'Hand.' } });
          return tx.messages.map(({ id }) => id);
        },
        { n, awaited: ['typed', 'known'] },
      );

    expect(await bring(1)).toEqual(['known', 'typed']);
    expect(await bring(2)).toEqual(['known', 'typed']);
    expect(await look(world().port(), ref, (tx) => tx.messages.map(({ body }) => body))).toEqual([
      say('known').body,
      { text: 'Hand.' },
    ]);
  });

  test('M4 a message can be brought and disposed of in one transaction', async () => {
    const ref = await world().attempt();
    await look(
      world().port(),
      ref,
      (tx) => {
        tx.insert('inbox', { id: 'typed', kind: 'cancel', body: { by: 'ana' } });
        tx.dispose('typed', 'taken');
      },
      { n: 2 },
    );
    expect(await look(world().port(), ref, (tx) => tx.messages, { n: 2 })).toMatchObject([
      { id: 'typed', kind: 'cancel', takenBy: 2, disposition: 'taken' },
    ]);
    expect(await look(world().port(), ref, (tx) => tx.messages, { n: 3 })).toEqual([]);
  });

  test('ordinals of inputs count what a transaction inserts', async () => {
    const ref = await world().attempt();
    const ordinals = () =>
      look(world().port(), ref, ({ lastInput, lastMessageInput }) => ({ lastInput, lastMessageInput }));
    expect(await ordinals()).toEqual({ lastInput: 1, lastMessageInput: 1 });

    await look(world().port(), ref, (tx) => {
      tx.insert('inputs', { ordinal: 2, turn: 1, after_step: 0, kind: 'message', body: { text: 'More.' } });
      expect(tx.lastMessageInput).toBe(2);
      tx.insert('inputs', { ordinal: 3, turn: 1, after_step: 0, kind: 'feedback', body: { text: 'Wrong.' } });
      expect(tx.lastInput).toBe(3);
    });
    expect(await ordinals()).toEqual({ lastInput: 3, lastMessageInput: 2 });
  });
}
