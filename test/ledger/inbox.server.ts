import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { insertMessage } from '../../src/ledger/inbox';
import type { AttemptRef } from '../../src/protocol/ids';
import type { Message } from '../../src/protocol/messages';
import { end, freshLedger, started } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const say = (id: string): Message => ({ id, kind: 'say', body: { text: 'Go on.', by: 'ana' } });
const inbox = async (ref: AttemptRef) =>
  (await pool.query('select id, kind, body, taken_by from inbox where attempt = $1 order by ordinal', [ref.key])).rows;

/** Resolves when another transaction waits for the one of this id to end. */
async function somebodyWaitsFor(transaction: string): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'transactionid' and transactionid = $1::xid and not granted`;
  while ((await pool.query(waiting, [transaction])).rowCount === 0) await sleep(10);
}

test('M4 a message is stored once, whoever sends it again', async () => {
  const ref = await started(pool, { task: 'once' });
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => insertMessage(pool, ref, say('a'))));

  expect(outcomes.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'duplicate')).toHaveLength(5);
  expect(await inbox(ref)).toEqual([{ id: 'a', kind: 'say', body: { text: 'Go on.', by: 'ana' }, taken_by: null }]);
});

test('M4 messages stand in the order in which they were stored', async () => {
  const ref = await started(pool, { task: 'order' });
  for (const id of ['c', 'a', 'b']) await insertMessage(pool, ref, say(id));
  expect((await inbox(ref)).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

test('M4 after the end nothing is stored, and the sender learns how it ended', async () => {
  const ref = await started(pool, { task: 'ended' });
  await insertMessage(pool, ref, say('before'));
  await end(pool, ref, 'CANCELLED', 'cancelled');

  expect(await insertMessage(pool, ref, say('after'))).toEqual({
    kind: 'ended',
    state: 'CANCELLED',
    reason: 'cancelled',
  });
  expect(await insertMessage(pool, ref, say('before'))).toEqual({ kind: 'duplicate' });
  expect(await inbox(ref)).toHaveLength(1);
});

test('M4 a message that waits for the row of an ending attempt sees its end', async () => {
  const ref = await started(pool, { task: 'race' });
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select 1 from attempts where key = $1 for update', [ref.key]);
  const { rows } = await client.query('select pg_current_xact_id()::text as id');
  const late = insertMessage(pool, ref, say('late'));
  await somebodyWaitsFor(rows[0].id);
  await client.query(
    `update attempts set state = 'COMPLETED', reason = 'success', ended_at = clock_timestamp() where key = $1`,
    [ref.key],
  );
  await client.query('commit');
  client.release();

  expect(await late).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
});
