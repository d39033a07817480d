import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { registeredSearchAttributes } from '../../src/embedded/temporal/temporal-probe';
import { searchAttributes } from '../../src/embedded/temporal/temporal-settings';
import { openLedgerPool } from '../../src/ledger/database';
import { migrate } from '../../src/ledger/migrate';
import { started } from '../ledger/support/ledger';
import { administer } from '../support/administer';
import { ledgerDatabase } from '../support/ledger-database';
import { freshDatabase, testStack, timeSkippingServerPath } from '../support/stack';
import { workflowBundleFile } from '../support/workflow-bundle';

test('the shared stack serves Temporal with our search attributes', async () => {
  const { temporalAddress } = await testStack();
  expect(await registeredSearchAttributes(temporalAddress, 'default', searchAttributes)).toEqual([...searchAttributes]);
});

test('a fresh database is empty, is ours, and is gone after drop', async () => {
  const { url, drop } = await freshDatabase();
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // drop ends this connection
  await client.connect();
  await client.query('create table t (x int)');
  const durability = await client.query(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by 1",
  );
  expect(durability.rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);

  await drop();
  await expect(client.query('select * from t')).rejects.toThrow();
  const again = new Client({ connectionString: url });
  await expect(again.connect()).rejects.toThrow(/does not exist/);
});

test('a ledger of one’s own is whole, and holds nothing that another wrote', async () => {
  const [one, other] = [await ledgerDatabase(), await ledgerDatabase()];
  expect(await migrate(one.url)).toEqual([]);
  const count = (url: string) =>
    administer(url, async (client) => (await client.query('select from holdfast.attempts')).rowCount);
  const pool = openLedgerPool(one.url);
  await started(pool);
  await pool.end();
  expect([await count(one.url), await count(other.url)]).toEqual([1, 0]);
  await one.drop();
  await other.drop();
});

test('the workflows of a jest run are bundled once, and whole', async () => {
  const [path, again] = await Promise.all([workflowBundleFile(), workflowBundleFile()]);
  expect(again).toBe(path);
  expect(readFileSync(path, 'utf8')).toContain('__TEMPORAL__');
});

test('the time-skipping server is found and runs', async () => {
  const { stdout, status, stderr } = spawnSync(await timeSkippingServerPath(), { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout + stderr).toContain('--enable-time-skipping');
});
