import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from '../../../src/embedded/checks';
import { migrate } from '../../../src/ledger/migrate';
import { freshDatabase, testStack } from '../../support/stack';
import { dataFolder } from '../support/data-folder';
import { query } from '../support/query';

async function results(place: Parameters<typeof checks>[0]) {
  const all = checks(place);
  return Object.fromEntries(await Promise.all(all.map(async ({ name, run }) => [name, await run()] as const)));
}

test('a stack that runs passes, with what was found', async () => {
  const { temporalAddress } = await testStack();
  const { url, drop } = await freshDatabase();
  const temporal = { address: temporalAddress, namespace: 'default' };
  const found = await results({ dataDir: dataFolder(), programs: {}, databaseUrl: url, temporal });
  await drop();
  expect(found['Temporal']).toEqual({ ok: true, found: expect.stringMatching(/^server \d+\.\d+\.\d+ at 127/) });
  expect(found['search attributes']?.ok).toBe(true);
  expect(found['PostgreSQL']).toEqual({ ok: true, found: expect.stringMatching(/^PostgreSQL \d+/) });
  expect(found['PostgreSQL']?.found).not.toContain(new URL(url).password);
  expect(found['Temporal CLI']?.found).toContain('temporal version');
  for (const name of ['Node', 'git', 'data folder']) expect(found[name]?.ok).toBe(true);
});

test('what is not there is said, with what to do', async () => {
  const file = join(dataFolder(), 'a-file');
  writeFileSync(file, '');
  chmodSync(file, 0o444);
  const found = await results({
    dataDir: join(file, 'data'),
    programs: { temporalCliPath: '/nowhere/temporal' },
    databaseUrl: 'postgresql://me:secret@127.0.0.1:1/x',
    temporal: { address: '127.0.0.1:1', namespace: 'default' },
  });
  for (const name of ['data folder', 'Temporal CLI', 'Temporal', 'search attributes', 'PostgreSQL']) {
    expect(found[name]).toEqual({ ok: false, found: expect.any(String), fix: expect.any(String) });
  }
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('a worker is there as long as it renews its lease', async () => {
  const { url, drop } = await freshDatabase();
  const worker = async () => (await results({ dataDir: dataFolder(), programs: {}, databaseUrl: url }))['worker'];
  const renewed = (age: string) =>
    query(
      url,
      `insert into workers (id, host, pid, pid_started, renewed_at)
                values (gen_random_uuid(), 'h', 1, '1', clock_timestamp() - interval '${age}')`,
    );
  expect(await worker()).toMatchObject({ ok: false, fix: expect.stringContaining('holdfast up') }); // no tables yet
  await migrate(url);
  expect(await worker()).toMatchObject({ ok: false, found: 'none' });
  await renewed('60 s');
  expect(await worker()).toMatchObject({ ok: false, found: 'silent for 60 s' });
  await renewed('0 s');
  expect(await worker()).toEqual({ ok: true, found: 'renews its lease' });
  await drop();
});

test('the speed is judged by what is measured', async () => {
  const { temporalAddress: address } = await testStack();
  const probe = (ms: number) => ({
    serverVersion: async () => '1',
    searchAttributes: async () => [],
    stepMs: async () => ms,
  });
  const speed = async (ms: number) =>
    (
      await results({
        dataDir: dataFolder(),
        programs: {},
        temporal: { address, namespace: 'default', probe: probe(ms) },
      })
    )['Temporal speed'];
  expect(await speed(30)).toEqual({ ok: true, found: '30 ms an activity' });
  expect((await speed(101))?.fix).toContain('history.transferProcessorMaxPollRPS=5000');
});
