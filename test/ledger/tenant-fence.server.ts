import type { Pool } from 'pg';
import { gatewayRole, openLedgerPool } from '../../src/ledger/database';
import { tenantPool } from '../../src/ledger/tenant-pool';
import { administer } from '../support/administer';
import { ledgerDatabase } from '../support/ledger-database';

/** Tables in which nothing is anybody's; a table of tomorrow that is neither here nor fenced turns a test red. */
const nobodys = ['kysely_migration', 'kysely_migration_lock', 'workers'];
const rowSecurity = /violates row-level security policy/;

interface Table {
  readonly name: string;
  readonly columns: readonly { name: string; type: string; needed: boolean }[];
}

let url: string;
let drop: () => Promise<void>;
let pool: Pool;
let tables: readonly Table[];

/**
 * Every table with one row of each of two tenants. In this database the gateway may do everything everywhere, and a row needs no
 * meaning, so that the fence alone stands in its way.
 */
beforeAll(async () => {
  ({ url, drop } = await ledgerDatabase());
  pool = openLedgerPool(url);
  await administer(url, async (client) => {
    await client.query('set search_path = holdfast');
    tables = (await client.query<Table>(tablesQuery)).rows;
    await client.query(loosen);
    for (const { name } of tables) await client.query(`grant all on ${name} to ${gatewayRole}`);
    for (const [attempt, tenant] of ['one', 'two'].entries())
      for (const table of tables) await client.query(insertText(table, tenant, attempt + 1));
  });
});
afterAll(async () => {
  await pool.end();
  await drop();
});

const tablesQuery = `select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
    'needed', a.attname = 'attempt' or c.relname || '.' || a.attname = 'attempts.key' or (a.attnotnull and not a.atthasdef and a.attidentity = ''))) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'holdfast'::regnamespace and c.relkind = 'r' and c.relname <> all ('{${nobodys.join()}}')
  group by c.relname order by c.relname`;
const loosen = `do $$ declare c record; begin
  for c in select conrelid::regclass as owner, conname from pg_constraint
    where connamespace = 'holdfast'::regnamespace and contype in ('c', 'f')
  loop execute format('alter table %s drop constraint %I', c.owner, c.conname); end loop;
end $$`;

const values: Readonly<Record<string, (tenant: string, key: number) => string>> = {
  text: (tenant) => `'${tenant}'`,
  bytea: (tenant) => `'${tenant}'`,
  jsonb: () => `'{}'`,
  'text[]': () => `'{}'`,
  uuid: () => 'gen_random_uuid()',
  boolean: () => 'false',
  'timestamp with time zone': () => 'now()',
  ...Object.fromEntries(
    ['bigint', 'integer', 'smallint', 'double precision'].map((type) => [type, (_: string, key: number) => `${key}`]),
  ),
};
function insertText({ name, columns }: Table, tenant: string, key: number): string {
  const needed = columns.filter((column) => column.needed);
  const row = needed.map(({ type }) => {
    const value = values[type];
    if (!value) throw new Error(`${name} has a column of type ${type}, of which this test knows no value.`);
    return value(tenant, key);
  });
  return `insert into ${name} (${needed.map((column) => column.name)}) overriding system value values (${row})`;
}

test('R16.9 every table of the ledger is fenced, or is nobody’s by name', async () => {
  const { rows } = await pool.query(
    `select relname from pg_class c where relnamespace = 'holdfast'::regnamespace and relkind = 'r' and not (relrowsecurity and exists
       (select from pg_policy where polrelid = c.oid and polname = 'one_tenant' and polroles = array['${gatewayRole}'::regrole::oid])) order by 1`,
  );
  expect(rows.map(({ relname }) => relname)).toEqual(nobodys);
  expect(tables.length).toBeGreaterThan(30);
});

test('the worker’s role sees every tenant', async () => {
  for (const { name } of tables) expect({ name, ...(await count(pool, name)) }).toEqual({ name, n: 2 });
});

test('of no table can the row of another tenant be read, changed, deleted or made', async () => {
  const one = tenantPool(pool, 'one');
  for (const { name, columns } of tables) {
    expect({ name, ...(await count(one, name)) }).toEqual({ name, n: 1 });
    const row = (await pool.query(`select to_jsonb(t) as row from ${name} t where ${others(columns)}`)).rows[0].row;
    const insert = `insert into ${name} overriding system value select * from jsonb_populate_record(null::${name}, $1)`;
    await expect(one.query(insert, [JSON.stringify(row)])).rejects.toThrow(rowSecurity);
    // A filter that names the other's row finds nothing to change.
    for (const act of [`update ${name} set ${settable(columns)}`, `delete from ${name}`])
      expect({ name, act, n: (await one.query(`${act} where ${others(columns)}`)).rowCount }).toEqual({
        name,
        act,
        n: 0,
      });
  }
});

test('a row cannot be handed to another tenant', async () => {
  const one = tenantPool(pool, 'one');
  await expect(one.query(`update attempts set tenant = 'two'`)).rejects.toThrow(rowSecurity);
  await expect(one.query(`update events set attempt = 2`)).rejects.toThrow(rowSecurity);
});

test.each(['', 'three', "one' or true --"])('whoever comes for tenant "%s" sees no row of others', async (tenant) => {
  for (const { name } of tables)
    expect({ name, ...(await count(tenantPool(pool, tenant), name)) }).toEqual({ name, n: 0 });
});

const count = async (from: Pool, table: string) =>
  (await from.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0];
const has = (columns: Table['columns'], name: string) => columns.some((column) => column.name === name);
const others = (columns: Table['columns']) => (has(columns, 'tenant') ? `tenant = 'two'` : 'attempt = 2');
const settable = (columns: Table['columns']) => (has(columns, 'tenant') ? 'tenant = tenant' : 'attempt = attempt');
