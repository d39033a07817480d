import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import { registeredSearchAttributes } from '../../src/embedded/temporal/temporal-probe';
import { searchAttributes } from '../../src/embedded/temporal/temporal-settings';
import { freshDatabase, testStack, timeSkippingServerPath } from '../support/stack';

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

test('the time-skipping server is found and runs', async () => {
  const { stdout, status, stderr } = spawnSync(await timeSkippingServerPath(), { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout + stderr).toContain('--enable-time-skipping');
});
