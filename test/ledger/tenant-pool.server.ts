import type { Pool } from 'pg';
import { defaultLimits } from '../../src/domain/budget/account';
import { openLedgerPool } from '../../src/ledger/database';
import { forkAttempt } from '../../src/ledger/fork-attempt';
import { insertMessage } from '../../src/ledger/inbox';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { listAttempts } from '../../src/ledger/queries/attempt-list';
import { checkpointList } from '../../src/ledger/queries/checkpoint-list';
import { effectList } from '../../src/ledger/queries/effect-list';
import { eventPage } from '../../src/ledger/queries/event-page';
import { findAttempt } from '../../src/ledger/queries/find-attempt';
import { inbox } from '../../src/ledger/queries/inbox';
import { markWorkflowStarted, startAttempt } from '../../src/ledger/start-attempt';
import { startCompensation } from '../../src/ledger/start-compensation';
import { tenantPool } from '../../src/ledger/tenant-pool';
import { ledgerDatabase } from '../support/ledger-database';
import { started, startRequest } from './support/ledger';
import { keys, writeSoundEffects } from './verify/sound-effects';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  const { url, drop } = await ledgerDatabase();
  pool = openLedgerPool(url);
  close = async () => {
    await pool.end();
    await drop();
  };
});
afterAll(() => close());

const whoQuery = `select current_user::text as role, coalesce(current_setting('holdfast.tenant', true), '') as tenant`;
const asItCame = { role: 'holdfast_app', tenant: '' };
/** Of every connection that lies in the pool. */
async function whoIsEach(): Promise<readonly object[]> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const all = await Promise.all(clients.map(async (client) => (await client.query(whoQuery)).rows[0]));
  for (const client of clients) client.release();
  return all;
}
/** Connections are made clean behind their callers' backs. */
async function settled(): Promise<void> {
  while (pool.idleCount < pool.totalCount) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a start, a message, an answer to an approval, lists and pages work through the fence', async () => {
  const mine = tenantPool(pool, 'mine');
  const outcome = await startAttempt(mine, startRequest({ tenant: 'mine', task: 'a' }));
  const { ref } = outcome.attempt;
  expect(outcome.kind).toBe('created');
  await markWorkflowStarted(mine, ref);
  expect(await insertMessage(mine, ref, { id: 'm-1', kind: 'say', body: { text: 'Hello' } })).toEqual({
    kind: 'stored',
  });
  const answer = {
    actionId: `${ref.id}/s1.a0`,
    answer: 'approve',
    by: 'ana',
    channel: 'authenticated',
    binding: 'b',
  } as const;
  expect(await insertMessage(mine, ref, { id: 'm-2', kind: 'approve', body: answer })).toEqual({ kind: 'stored' });

  await writeSoundEffects(pool, ref);
  for (const [ask, from] of [
    ['fenced', mine],
    ['not fenced', pool],
  ] as const)
    expect({
      ask,
      list: (await listAttempts(from, 'mine', { limit: 5 })).attempts.map(({ attemptId }) => attemptId),
      found: await findAttempt(from, 'mine', '@last'),
      waiting: (await attemptDetails(from, ref))?.waitingMessages.map(({ id }) => id),
      started: (await attemptDetails(from, ref))?.workflowStarted,
      events: (await eventPage(from, ref, 0, 1)).map(({ event_type }) => event_type),
      effects: (await effectList(from, ref)).length > 0,
      unknown: (await inbox(from, 'mine')).unknownEffects.length > 0,
      checkpoints: await checkpointList(from, ref),
    }).toEqual({
      ask,
      list: ['a/1'],
      found: { kind: 'found', ref },
      waiting: ['m-1', 'm-2', 'cancel'],
      started: true,
      events: ['attempt_created'],
      effects: true,
      unknown: true,
      checkpoints: [],
    });
});

test('what another tenant has is not there, also for a query that names it', async () => {
  const ref = await started(pool, { tenant: 'theirs', task: 'b' });
  await writeSoundEffects(pool, ref);
  const mine = tenantPool(pool, 'mine');

  expect(await listAttempts(mine, 'theirs', { limit: 5 })).toEqual({ attempts: [], next: null });
  expect(await findAttempt(mine, 'theirs', 'b/1')).toEqual({ kind: 'none' });
  expect(await eventPage(mine, ref, 0, 10)).toEqual([]);
  expect(await inbox(mine, 'theirs')).toEqual({ approvals: [], unknownEffects: [], attempts: [] });
  expect(await effectList(mine, ref)).toEqual([]);
  await expect(insertMessage(mine, ref, { id: 'm-3', kind: 'say', body: { text: 'Hello' } })).rejects.toThrow(
    /No attempt/,
  );
  await expect(startAttempt(mine, startRequest({ tenant: 'theirs', task: 'c' }))).rejects.toThrow(/row-level security/);
  const texts = { store: async (text: string) => ({ text }), load: async () => '' };
  const settings = { flow: 1, stepsPerRun: 50, searchAttributes: false };
  await expect(forkAttempt(mine, { from: ref, snapshot: settings, versions: {}, texts })).rejects.toThrow(/no attempt/);
  const undo = {
    tool: { name: 't', effect: 'deduplicated', quick: false, timeoutMs: 1 },
    args: {},
    limits: defaultLimits,
  } as const;
  const effect = { key: keys.committed, generation: 1 };
  const compensation = { tenant: 'theirs', effect, ...undo, snapshot: settings, versions: {}, by: 'eve' };
  expect(await startCompensation(mine, compensation)).toEqual({ kind: 'not_committed', phase: undefined });
});

test('I2 a connection goes back as it came: after a query, an error, a transaction, and one that was left open', async () => {
  const mine = tenantPool(pool, 'mine');
  expect((await mine.query(whoQuery)).rows).toEqual([{ role: 'holdfast_gateway', tenant: 'mine' }]);
  await expect(mine.query('select 1 / 0')).rejects.toThrow(/division/);
  const client = await mine.connect();
  await client.query('begin');
  await expect(client.query('select nothing')).rejects.toThrow();
  client.release(); // in a transaction that failed
  const left = await mine.connect();
  await left.query('begin');
  await left.query('select 1');
  left.release();
  expect(() => left.release()).toThrow(/twice/);
  await settled();
  expect(await whoIsEach()).toEqual(Array.from({ length: pool.totalCount }, () => asItCame));
});

test('I2 a connection that nothing went wrong on is used again, with its prepared statements', async () => {
  await settled();
  const pids = new Set<number>();
  for (let time = 0; time < 30; time += 1) {
    const { rows } = await tenantPool(pool, `p${time}`).query('select pg_backend_pid() as pid');
    pids.add(rows[0].pid);
    await settled();
  }
  expect(pids.size).toBe(1);
});

test('I1 tenants that share connections never see each other', async () => {
  const seen = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const tenant = `t${index % 7}`;
      if (index % 5 === 0) return (await pool.query(whoQuery)).rows[0];
      const { rows } = await tenantPool(pool, tenant).query(whoQuery);
      return rows[0].tenant === tenant && rows[0].role === 'holdfast_gateway' ? asItCame : rows[0];
    }),
  );
  expect(seen).toEqual(Array.from({ length: 300 }, () => asItCame));
});
