import type { ToolContext } from '../../src/activities/ports';
import { queryData } from '../../src/tools/query-data';
import { sqliteFile, testDatabases } from '../support/test-databases';
import { call, toolBench } from './support';

const bench = toolBench({});
afterAll(() => bench.remove());
const file = sqliteFile(
  "create table sales (region text, amount real); insert into sales values ('north', 12.5), ('south', 7)",
);
const databases = testDatabases({ sales: { kind: 'sqlite', file } });
const query = (sql: string, context: ToolContext = { ...bench.context, databases }) =>
  call(queryData, { database: 'sales', sql }, context);

test('R3.3 columns and rows come as JSON, a line each, so that a report can hold them as they are', async () => {
  expect(await query('select region, amount from sales order by region')).toEqual({
    ok: true,
    output: '["region","amount"]\n["north",12.5]\n["south",7]',
  });
});

test('R8.3 what the database says no to is told with what to do', async () => {
  expect(await query('delete from sales')).toMatchObject({
    ok: false,
    failure: { class: 'policy_denied', code: 'QUERY_WRITES' },
    error: { suggested_action: 'Send a SELECT that changes nothing.' },
  });
  expect(await query('select price from sales')).toMatchObject({ ok: false, failure: { code: 'BAD_QUERY' } });
  expect(await query('select 1', bench.context)).toMatchObject({ ok: false, failure: { code: 'NO_DATABASES' } });
});

test('R4.1 query_data names its effect, none; and nobody vouches for what a database holds', () => {
  expect(queryData).toMatchObject({ effect: 'none', untrusted: true, workspace: false });
});
