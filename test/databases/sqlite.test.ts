import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder';
import { queryOptions, sqliteFile, testDatabases } from '../support/test-databases';

const file = sqliteFile(`
  create table sales (region text, amount real, pieces integer, note blob);
  insert into sales values ('north', 12.5, 3, x'0aff'), ('south', 7, 9007199254740993, null);
`);
const missing = join(tempFolder('holdfast-sqlite-'), 'none.sqlite');
const databases = testDatabases({
  sales: { kind: 'sqlite', file },
  hasty: { kind: 'sqlite', file, timeoutMs: 400 },
  missing: { kind: 'sqlite', file: missing },
  text: { kind: 'sqlite', file: __filename },
});
const query = (sql: string, database = 'sales', more = {}) =>
  databases.query(database, sql, { ...queryOptions, ...more });
const failing = (code: string) => ({ name: 'DatabaseError', failure: expect.objectContaining({ code }) });
const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

test('R3.3 rows come as JSON has them, and as text where JSON would change them', async () => {
  expect(await query('select region, amount, pieces, note from sales order by region')).toEqual({
    columns: ['region', 'amount', 'pieces', 'note'],
    rows: [
      ['north', 12.5, 3, '\\x0aff'],
      ['south', 7, '9007199254740993', null],
    ],
  });
  expect(await query('select 1 where false')).toEqual({ columns: ['1'], rows: [] });
});

test.each([
  ['insert into sales (region) values (1)', 'QUERY_WRITES'],
  ["with gone as (select 'north' as r) delete from sales where region in (select r from gone)", 'QUERY_WRITES'],
  ['with gone as (select 1) insert into sales (region) select 1 returning region', 'QUERY_WRITES'],
  [`attach '${missing}' as other`, 'QUERY_WRITES'],
  [`vacuum into '${missing}'`, 'QUERY_WRITES'],
  ['pragma user_version = 7', 'QUERY_WRITES'],
  ['select 1; delete from sales', 'NOT_ONE_STATEMENT'],
  ['-- nothing\n', 'NOT_ONE_STATEMENT'],
  ['select price from sales', 'BAD_QUERY'],
])('R3.3 %s is refused, and the file is as it was', async (sql, code) => {
  const before = readFileSync(file);
  await expect(query(sql)).rejects.toMatchObject(failing(code));
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('R9.1 a query that runs for ever is stopped where it runs, and so is one whose caller has gone', async () => {
  await expect(query(endless, 'hasty')).rejects.toMatchObject(failing('QUERY_TIMEOUT'));
  const gone = new AbortController();
  const asked = query(endless, 'sales', { signal: gone.signal });
  setTimeout(() => gone.abort(new Error('gone')), 200);
  await expect(asked).rejects.toThrow('gone');
});

test('a result that is too large is refused and not cut', async () => {
  const many = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
  await expect(query(many)).rejects.toMatchObject(failing('RESULT_TOO_LARGE'));
  await expect(query('select hex(zeroblob(20000))')).rejects.toMatchObject(failing('RESULT_TOO_LARGE'));
  expect((await query(`${many} limit 100`)).rows).toHaveLength(100);
});

test('R8.2 a file that is not there or is no database is for the operator, and no name is guessed', async () => {
  expect(existsSync(missing)).toBe(false);
  for (const database of ['missing', 'text'])
    await expect(query('select * from sales', database)).rejects.toMatchObject({
      failure: { class: 'environment_drift', code: 'DATABASE_UNREADABLE' },
    });
  expect(existsSync(missing)).toBe(false);
  for (const name of ['other', 'constructor'])
    await expect(query('select 1', name)).rejects.toMatchObject({
      ...failing('DATABASE_UNKNOWN'),
      suggestedAction: 'Use one of: sales, hasty, missing, text.',
    });
});
