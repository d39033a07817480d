import { escapeLiteral, type Pool, type QueryConfig } from 'pg';
import { attempts, eventsOfEach, fillLedger, questionsOf } from '../../../bench/lib/big-ledger';
import { openLedgerPool } from '../../../src/ledger/database';
import { findAttempt } from '../../../src/ledger/queries/find-attempt';
import { tenantPool } from '../../../src/ledger/tenant-pool';
import type { AttemptRef } from '../../../src/protocol/ids';
import { ledgerDatabase } from '../../support/ledger-database';

const tenant = 'busy';
/** Filling takes half a minute. */
const fillTimeoutMs = 180_000;
/** A table that grows with the work, and that nobody may read from end to end. */
const bigRows = 20_000;

let pool: Pool;
let close: () => Promise<void>;
let ref: AttemptRef;
let big: readonly string[];
beforeAll(async () => {
  const { url, drop } = await ledgerDatabase();
  await fillLedger(url, tenant);
  pool = openLedgerPool(url);
  close = async () => {
    await pool.end();
    await drop();
  };
  const found = await findAttempt(pool, tenant, 'task-2001/1');
  if (found.kind !== 'found') throw new Error('The ledger was not filled.');
  ref = found.ref;
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'holdfast'::regnamespace and relkind = 'r' and reltuples >= $1`,
    [bigRows],
  );
  big = rows.map(({ name }) => name);
}, fillTimeoutMs);
afterAll(() => close());

test('the ledger is as big as it is said to be', async () => {
  const { rows } = await pool.query(
    'select (select count(*) from attempts) as attempts, (select count(*) from events) as events',
  );
  expect(rows).toEqual([{ attempts, events: attempts * eventsOfEach }]);
  expect(big).toEqual(expect.arrayContaining(['events', 'steps', 'actions', 'model_tries']));
});

test('a plan that reads a big table from end to end would be seen', async () => {
  const query = { text: 'select count(*) from events where turn = $1', values: [7] };
  for (const from of [pool, tenantPool(pool, tenant)]) expect(await scanned(from, query)).toContain('events');
});

describe.each([
  ['the worker’s role', () => pool],
  ['the fence', () => tenantPool(pool, tenant)],
])('under %s', (_whose, from) => {
  // The names alone are known before there is a ledger; `npm run bench -- queries` has the times.
  test.each(questionsOf(tenant, { tenant, id: '', key: 0 }).map(([name]) => name))(
    '%s reads big tables by their indexes',
    async (name) => {
      const [, ask] = questionsOf(tenant, ref).find(([one]) => one === name) ?? [];
      if (ask === undefined) throw new Error(`There is no question "${name}".`);
      await expectIndexes(from(), ask);
    },
  );
});

async function expectIndexes(from: Pool, ask: (from: Pool) => Promise<unknown>): Promise<void> {
  const asked: Asked[] = [];
  const answer = await ask(recording(from, asked));
  expect(answer).toBeTruthy();
  expect(asked.length).toBeGreaterThan(0);
  for (const query of asked) expect((await scanned(from, query)).filter((table) => big.includes(table))).toEqual([]);
}

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}
/** The pool, noting what is asked of it. */
function recording(from: Pool, asked: Asked[]): Pool {
  const query = (given: string | QueryConfig, values?: unknown[]) => {
    asked.push(
      typeof given === 'string'
        ? { text: given, values: values ?? [] }
        : { text: given.text, values: given.values ?? [] },
    );
    return from.query(given as string, values);
  };
  return new Proxy(from, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}

/** The tables that its plan reads from end to end; the plan is that which the application's connections make. */
async function scanned(from: Pool, { text, values }: Asked): Promise<readonly string[]> {
  const client = await from.connect();
  try {
    await client.query(`prepare planned as ${text}`);
    const literals = values.map((value) =>
      value === null ? 'null' : escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    const given = literals.length === 0 ? '' : `(${literals.join()})`;
    const { rows } = await client.query(`explain (format json) execute planned${given}`);
    return scansOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    client.release(true); // with its statement
  }
}
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}
const scansOf = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'].endsWith('Seq Scan') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];
