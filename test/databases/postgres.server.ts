import { Client } from 'pg';
import { freshDatabase } from '../support/stack';
import { queryOptions, testDatabases } from '../support/test-databases';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let owner: Client;
beforeAll(async () => {
  database = await freshDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`
    create table sales (region text, amount numeric, pieces bigint, paid boolean, more jsonb, at timestamptz);
    insert into sales values ('north', 12.50, 3, true, '{"a":[1]}', null), ('south', 7, 9007199254740993, false, null, null);
    create sequence numbers;
  `);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const databases = () =>
  testDatabases({
    sales: { kind: 'postgres', url: () => database.url },
    hasty: { kind: 'postgres', url: () => database.url, timeoutMs: 300 },
    away: { kind: 'postgres', url: () => 'postgres://nobody@127.0.0.1:1/none' },
    unset: { kind: 'postgres', url: () => undefined },
  });
const query = (sql: string, name = 'sales', more = {}) => databases().query(name, sql, { ...queryOptions, ...more });
const failing = (code: string) => ({ name: 'DatabaseError', failure: expect.objectContaining({ code }) });
const running = async () => {
  const { rows } = await owner.query(
    `select pid from pg_stat_activity where application_name = 'holdfast check' and state = 'active' and datname = current_database()`,
  );
  return rows.length;
};

test('R3.3 rows come as JSON has them, and as text where JSON would change them', async () => {
  expect(await query('select region, amount, pieces, paid, more, at from sales order by region')).toEqual({
    columns: ['region', 'amount', 'pieces', 'paid', 'more', 'at'],
    rows: [
      ['north', 12.5, 3, true, { a: [1] }, null],
      ['south', 7, '9007199254740993', false, null, null],
    ],
  });
  expect((await query("select 0.1::float8 + 0.2::float8, 'NaN'::numeric, 12345678901234567890.5")).rows).toEqual([
    [0.30000000000000004, 'NaN', '12345678901234567890.5'],
  ]);
});

test.each([
  ["insert into sales (region) values ('x')", 'QUERY_WRITES'],
  ["with made as (insert into sales (region) values ('x') returning region) select * from made", 'QUERY_WRITES'],
  ['select * into other from sales', 'QUERY_WRITES'],
  ["select nextval('numbers')", 'QUERY_WRITES'],
  ['select * from sales for update', 'QUERY_WRITES'],
  ["select set_config('transaction_read_only', 'off', true)", 'DATABASE_ERROR'],
  ['do $$ begin delete from sales; end $$', 'QUERY_WRITES'],
  ['select 1; commit; delete from sales', 'NOT_ONE_STATEMENT'],
  ['select $q$;$q$; delete from sales', 'NOT_ONE_STATEMENT'],
  ['select price from sales', 'BAD_QUERY'],
])('R3.3 %s is refused, and nothing is written', async (sql, code) => {
  await expect(query(sql)).rejects.toMatchObject(failing(code));
  const { rows } = await owner.query(
    `select (select count(*)::int from sales) as sales, to_regclass('other') as other, (select is_called from numbers) as used`,
  );
  expect(rows).toEqual([{ sales: 2, other: null, used: false }]);
});

test('R9.1 a query that runs for ever is stopped where it runs, and so is one whose caller has gone', async () => {
  await expect(query('select pg_sleep(60)', 'hasty')).rejects.toMatchObject(failing('QUERY_TIMEOUT'));
  const gone = new AbortController();
  const asked = query('select pg_sleep(60)', 'sales', { signal: gone.signal });
  asked.catch(() => {});
  while ((await running()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  gone.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  expect(await running()).toBe(0);
});

test('a result that is too large is refused while it comes, and is not held', async () => {
  await expect(query('select * from generate_series(1, 101)')).rejects.toMatchObject(failing('RESULT_TOO_LARGE'));
  await expect(query("select repeat('x', 20000)")).rejects.toMatchObject(failing('RESULT_TOO_LARGE'));
  await expect(query('select generate_series(1, 1000000000000)')).rejects.toMatchObject(failing('RESULT_TOO_LARGE'));
});

test('R8.2 a database that is away may come back; a variable that is not set is for the operator', async () => {
  await expect(query('select 1', 'away')).rejects.toMatchObject({ failure: { class: 'tool_transient' } });
  await expect(query('select 1', 'unset')).rejects.toMatchObject(failing('DATABASE_UNCONFIGURED'));
});
