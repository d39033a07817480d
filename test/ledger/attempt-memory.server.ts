import { createHash } from 'node:crypto';
import type { AttemptTx, LedgerPort } from '../../src/activities/ledger-port';
import { createLedger } from '../../src/ledger/ledger';
import { readRecent } from '../../src/ledger/recent-rows';
import type { AttemptRef } from '../../src/protocol/ids';
import type { ContractWorld } from './contract/contract-world';
import { hashOf, observation, openTry, toolTry } from './contract/rows';
import { freshLedger, started } from './support/ledger';
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
/** Opens a call, or sees it answered, or both. */
const called = (
  port: LedgerPort,
  ref: AttemptRef,
  step: number,
  { index = 0, open = true, answer = 'b' as string | null, of = print } = {},
) =>
  inMove(port, ref, (tx) => {
    if (open) openTry(tx, { step, index, fingerprint: of });
    if (answer === null) return;
    tx.insert('observations', observation({ step, index, snapshot: 's', result_hash: hashOf(answer) }));
    tx.emit({ type: 'action_finished', payload: { index, tool: 't', ok: true, bytes: 5 } });
  });
const repeats = (port: LedgerPort, ref: AttemptRef, of = print) =>
  inMove(port, ref, async (tx) => (await tx.trail()).repeats(of));
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
    await called(port, ref, step + 1);
    seen.push(await repeats(one, ref), await repeats(other, ref));
  }
  expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
});

test('I1 an answer that lands later, and with another process, is seen by both, once', async () => {
  const [one, other, ref] = [world.port(), world.port(), await world.attempt()];
  await called(one, ref, 1, { answer: null });
  expect([await repeats(one, ref), await repeats(other, ref)]).toEqual([0, 0]);
  await called(other, ref, 1, { open: false });
  expect([await repeats(one, ref), await repeats(other, ref)]).toEqual([1, 1]);
  await called(one, ref, 1, { index: 1, of: hashOf('c') });
  expect([await repeats(one, ref), await repeats(other, ref)]).toEqual([1, 1]);
  await called(other, ref, 2);
  expect([await repeats(one, ref), await repeats(other, ref)]).toEqual([2, 2]);
});

test('I2 I3 what is read at step 1,000 is what was written since; who comes anew looks back on so many steps', async () => {
  const { pool, close } = await freshLedger();
  try {
    const ref = await started(pool, { task: 'long' });
    const hash = (step: number) => createHash('md5').update(String(step)).digest('hex').repeat(2);
    await pool.query(
      `insert into tool_tries (attempt, step, index, try, execution, fingerprint, sent, worker, rule, policy)
       select $1, step, 0, 1, 1, decode(repeat(md5(step::text), 2), 'hex'), false, gen_random_uuid(), 'r', 'p' from generate_series(1, 999) step`,
      [ref.key],
    );
    await pool.query(
      `insert into observations (attempt, step, index, ok, body, tokens, result_hash)
       select $1, step, 0, true, '{"text":"x"}', 1, decode(repeat(md5(step::text), 2), 'hex') from generate_series(1, 999) step`,
      [ref.key],
    );
    await pool.query('update attempts set step = 999 where key = $1', [ref.key]);
    const port = createLedger(pool);

    expect([await repeats(port, ref, hash(999)), await repeats(port, ref, hash(501))]).toEqual([1, 1]);
    expect(await repeats(port, ref, hash(100))).toBe(0);
    await called(createLedger(pool), ref, 1_000);
    expect([await repeats(port, ref), await repeats(port, ref, hash(999))]).toEqual([1, 1]);
    const client = await pool.connect();
    try {
      expect((await readRecent(client, ref.key, 999)).calls).toHaveLength(2);
    } finally {
      client.release();
    }
  } finally {
    await close();
  }
});

test('R7.1 a call that was rolled back is no repeat', async () => {
  const [port, ref] = [world.port(), await world.attempt()];
  await called(port, ref, 1);
  await repeats(port, ref);
  const failing = inMove(port, ref, (tx) => {
    openTry(tx, { step: 2, fingerprint: print });
    tx.insert('observations', observation({ step: 2, result_hash: hashOf('b') }));
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

test.each<[string, (tx: AttemptTx) => void]>([
  ['a try', (tx) => tx.insert('tool_tries', toolTry({ fingerprint: print }))],
  ['an answer', (tx) => tx.insert('observations', observation({ result_hash: print }))],
  ['a plan', (tx) => tx.insert('task_states', { n: 900, body: {} })],
])('I1 %s that nobody else would notice is refused', async (_, write) => {
  const [port, ref] = [world.port(), await world.attempt()];
  await expect(inMove(port, ref, write)).rejects.toThrow('without an event');
});
