import type { DatabasePort } from '../../src/activities/ports';
import { createVerify } from '../../src/activities/verify';
import type { QueryCriterion } from '../../src/domain/contract/contract';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { sqliteFile, testDatabases } from '../support/test-databases';

/** Each look at a counter that somebody else moves on sees another number. */
const moving = (databases: DatabasePort): DatabasePort => {
  let looks = 0;
  return {
    names: () => databases.names(),
    query: async (database, sql, options) => {
      looks += 1;
      return databases.query(database, sql.replace('LOOKS', String(looks)), options);
    },
  };
};

const total = 'select sum(amount) as total from sales';
const definition = 'The sum of the amounts of all sales.';
const report = (result: object) => ({
  1: { calls: [{ tool: 'finish', args: { summary: 'Done.', status: 'done', result } }] },
});
const reports = {
  right: report({ database: 'sales', sql: total, rows: [[19.5]], definition }),
  mistaken: report({ database: 'sales', sql: total, rows: [[20]], definition }),
  elsewhere: report({ database: 'other', sql: total, rows: [[19.5]], definition }),
  blank: report({ database: 'sales', sql: total, rows: [[19.5]], definition: ' ' }),
  clock: report({ database: 'sales', sql: "select date('now')", rows: [['2026-01-01']], definition }),
  moving: report({ database: 'sales', sql: 'select LOOKS', rows: [[1]], definition }),
  writes: report({ database: 'sales', sql: 'delete from sales', rows: [], definition }),
  broken: report({ database: 'sales', sql: 'select price from sales', rows: [], definition }),
  endless: report({
    database: 'sales',
    sql: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
    rows: [[1]],
    definition,
  }),
  silent: { 1: { calls: [{ tool: 'finish', args: { summary: 'It is 19.5.', status: 'done' } }] } },
};

let world: ActivityWorld;
let databases: DatabasePort;
beforeAll(async () => {
  world = await activityWorld({ attempts: reports });
  const file = sqliteFile('create table sales (amount real); insert into sales values (12.5), (7)');
  databases = testDatabases({ sales: { kind: 'sqlite', file, timeoutMs: 4_000 } });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const figure: QueryCriterion = { id: 'figure', check: 'query', database: 'sales' };
async function verified(task: string, criterion: Partial<QueryCriterion> = {}, kind: 'data' | 'dialog' = 'data') {
  const contract = { kind, acceptance: [{ ...figure, ...criterion }] };
  const worker = { ...(await world.worker()), databases: moving(databases) };
  const attempt = new AttemptDriver(worker, await world.attempt({ task, contract }));
  await attempt.think();
  const call = callOf<'verify'>(attempt.ref, ++attempt.n, { candidate: 1, criterion: 'figure' });
  const { answer } = await createVerify(worker)(call, never);
  const [evidence] = await rowsOf<{ body: { detail: string; ran: string; output: string } }>(
    world.pool,
    attempt.ref,
    'select body from evidence where attempt = $1',
  );
  return { attempt, answer, evidence: evidence?.body };
}

test('R3.3 a figure that its query gives again and again is met; the evidence has query, rows and definition', async () => {
  const { answer, evidence, attempt } = await verified('right', { expect: { total: 19.5 } });
  expect(answer).toEqual({ kind: 'checked', met: true, feedback: true });
  expect(evidence).toMatchObject({ detail: '', ran: `query sales, twice: ${total}` });
  expect(JSON.parse(evidence?.output ?? '')).toEqual({
    database: 'sales',
    definition,
    columns: ['total'],
    rows: [[19.5]],
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await rowsOf(world.pool, attempt.ref, 'select tainted from attempts where key = $1')).toEqual([
    { tainted: false },
  ]);
});

test.each([
  ['reports other rows', 'mistaken', {}, 'The rows that finish reports are not those that its query gives.'],
  ['is of another database', 'elsewhere', {}, 'The result is of the database other, and not of sales.'],
  ['has no definition', 'blank', {}, 'The result does not say how what it measures is defined.'],
  ['asks for the time', 'clock', {}, 'which is another value at another time'],
  ['is another one each time', 'moving', {}, 'The query gave other rows when it was run again.'],
  ['writes', 'writes', {}, 'Only a query that reads is run here'],
  ['does not run', 'broken', {}, 'no such column: price'],
  ['runs for ever', 'endless', {}, 'The query did not end within 4000 ms and was stopped.'],
  ['is not there', 'silent', {}, 'finish gave no result'],
  ['is not as expected', 'right', { expect: { total: 40 } }, '`total`: expected 40, found 19.5.'],
  ["contradicts the contract's own", 'right', { sql: 'select 7.0' }, "other rows than the contract's own does"],
] as const)('R3.4 a figure whose query %s is unmet, and the model hears why', async (_what, task, criterion, why) => {
  const { answer, evidence, attempt } = await verified(task, criterion);
  expect(answer).toEqual({ kind: 'checked', met: false, feedback: true });
  expect(evidence?.detail).toContain(why);
  expect(await rowsOf(world.pool, attempt.ref, 'select tainted from attempts where key = $1')).toEqual([
    { tainted: true },
  ]);
});

test("R3.3 the contract's own query is judged where no agent has one, and beside the agent's where it has", async () => {
  const asked = { sql: total, expect: { total: 19.5 } };
  expect((await verified('silent', asked, 'dialog')).answer).toMatchObject({ kind: 'checked', met: true });
  expect((await verified('right', asked)).answer).toMatchObject({ kind: 'checked', met: true });
});

test.each([
  ['writes', { sql: 'delete from sales' }, 'environment_drift', 'QUERY_WRITES'],
  ['does not run', { sql: 'select nothing from nowhere' }, 'environment_drift', 'BAD_QUERY'],
  ['is another one each time', { sql: 'select LOOKS' }, 'environment_drift', 'QUERY_NOT_REPRODUCIBLE'],
  ['asks for the time', { sql: 'select current_timestamp' }, 'environment_drift', 'QUERY_NOT_REPRODUCIBLE'],
  ['is of no database', { database: 'gone' }, 'environment_drift', 'DATABASE_UNKNOWN'],
] as const)(
  "R3.5 a contract's own query that %s says nothing about the candidate",
  async (_what, asked, kind, code) => {
    const { answer, evidence } = await verified('right', asked);
    expect(answer).toEqual({ kind: 'failed', failure: { class: kind, code } });
    expect(evidence).toBeUndefined();
  },
);
