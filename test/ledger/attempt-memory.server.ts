import type { AttemptTx, LedgerPort } from '../../src/activities/ledger-port';
import type { AttemptRef } from '../../src/protocol/ids';
import type { ContractWorld } from './contract/contract-world';
import { hashOf, openTry, toolTry } from './contract/rows';
import { openPostgresWorld } from './support/postgres-world';

/** What a ledger keeps between its transactions never shows: another process may have gone on, and a rollback wrote nothing. */

let world: ContractWorld;
beforeAll(async () => {
  world = await openPostgresWorld();
});
afterAll(() => world.close());

const print = hashOf('a');
let n = 0;
const inMove = <T>(port: LedgerPort, ref: AttemptRef, work: (tx: AttemptTx) => Promise<T> | T) => {
  n += 1;
  return port.transact(ref, { n }, work);
};
const call = (port: LedgerPort, ref: AttemptRef, step: number) =>
  inMove(port, ref, (tx) => openTry(tx, { step, fingerprint: print }));
const repeats = (port: LedgerPort, ref: AttemptRef) => inMove(port, ref, (tx) => tx.repeats(print, 100, 0));
const plan = (port: LedgerPort, ref: AttemptRef, body: unknown) =>
  inMove(port, ref, (tx) => {
    tx.insert('task_states', { n: tx.n, body });
    tx.emit({ type: 'action_started', payload: { index: 0, tool: 'update_plan', try: 1 } });
  });
const planOf = (port: LedgerPort, ref: AttemptRef) => inMove(port, ref, (tx) => tx.taskState());

test('R7.1 repeats are counted over the calls of every process', async () => {
  const [one, other, ref] = [world.port(), world.port(), await world.attempt()];
  const seen: number[] = [];
  for (const [step, port] of [one, one, other, one, other, other].entries()) {
    await call(port, ref, step + 1);
    seen.push(await repeats(one, ref), await repeats(other, ref));
  }
  expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
});

test('R7.1 a call that was rolled back is no repeat', async () => {
  const [port, ref] = [world.port(), await world.attempt()];
  await call(port, ref, 1);
  await repeats(port, ref);
  const failing = inMove(port, ref, (tx) => {
    openTry(tx, { step: 2, fingerprint: print });
    throw new Error('lost');
  });

  await expect(failing).rejects.toThrow('lost');
  expect(await repeats(port, ref)).toBe(1);
});

test('R13.1 a plan that another process installed is the one that is read', async () => {
  const [one, other, ref] = [world.port(), world.port(), await world.attempt()];
  await plan(one, ref, { is: 'first' });
  expect(await planOf(one, ref)).toEqual({ is: 'first' });
  await plan(other, ref, { is: 'second' });
  expect(await planOf(one, ref)).toEqual({ is: 'second' });
  await plan(one, ref, { is: 'third' });
  expect([await planOf(one, ref), await planOf(other, ref)]).toEqual([{ is: 'third' }, { is: 'third' }]);
});

test('R13.1 what the process that wrote it reads is what every other reads', async () => {
  const [one, other, ref] = [world.port(), world.port(), await world.attempt()];
  await planOf(one, ref);
  await plan(one, ref, { note: 'a\u0000b' });
  await inMove(one, ref, (tx) =>
    tx.insert('actions', {
      step: 1,
      index: 0,
      call_id: 'c\u0000',
      tool: 'put',
      effect: 'none',
      args: { text: '{"half":"\ud800"}' },
      args_hash: 'aa',
    }),
  );

  expect(await planOf(one, ref)).toEqual(await planOf(other, ref));
  const [kept, read] = [await one.action(ref, 1, 0), await other.action(ref, 1, 0)];
  expect(kept).toMatchObject({ callId: 'c\uFFFD' });
  expect(kept).toEqual(read);
});

test('an action that was rolled back was not proposed', async () => {
  const [port, ref] = [world.port(), await world.attempt()];
  const row = { step: 1, index: 0, call_id: 'c', tool: 'put', effect: 'none', args: { text: '{}' }, args_hash: 'aa' };
  const failing = inMove(port, ref, (tx) => {
    tx.insert('actions', row);
    throw new Error('lost');
  });

  await expect(failing).rejects.toThrow('lost');
  expect(await port.action(ref, 1, 0)).toBeUndefined();
});

test('I1 a try that nobody else would notice is refused', async () => {
  const [port, ref] = [world.port(), await world.attempt()];
  const silent = inMove(port, ref, (tx) => tx.insert('tool_tries', toolTry({ fingerprint: print })));
  await expect(silent).rejects.toThrow('without an event');
});
