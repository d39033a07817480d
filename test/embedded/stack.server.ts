import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attachToStack } from '../../src/embedded/attach';
import { identify, isAlive } from '../../src/embedded/process/process-identity';
import { type Stack, StackBusyError, startStack } from '../../src/embedded/stack';
import { readStackState } from '../../src/embedded/state-file';
import { registeredSearchAttributes } from '../../src/embedded/temporal/temporal-probe';
import { searchAttributes } from '../../src/embedded/temporal/temporal-settings';
import { dataFolder, serversOn } from './support/data-folder';
import { query } from './support/query';
import { until } from './support/until';

describe('one data folder', () => {
  const dataDir = dataFolder();
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ dataDir });
  });
  afterAll(() => stack.stop());

  test('an empty folder becomes a stack that serves both', async () => {
    expect(await query(stack.databaseUrl, 'select current_database() as name')).toEqual([{ name: 'holdfast' }]);
    const registered = await registeredSearchAttributes(stack.temporalAddress, stack.namespace, searchAttributes);
    expect(registered).toEqual([...searchAttributes]);
    expect((await fetch(stack.uiUrl ?? '')).status).toBe(200);
  });

  test('everything listens on this machine only', async () => {
    expect(new URL(stack.databaseUrl).hostname).toBe('127.0.0.1');
    expect(stack.temporalAddress).toMatch(/^127\.0\.0\.1:/);
    expect(await query(stack.databaseUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });

  test('what holds the password is closed to others', () => {
    for (const file of ['state.json', 'postgres-password']) expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0);
  });

  test('a wrong password is refused', async () => {
    const url = new URL(stack.databaseUrl);
    url.password = 'wrong';
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password/);
  });

  test('a second start on the folder is refused, names who runs it, and harms nothing', async () => {
    await expect(startStack({ dataDir })).rejects.toThrow(StackBusyError);
    await expect(startStack({ dataDir })).rejects.toThrow(new RegExp(`process ${process.pid}`));
    expect(await query(stack.databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('other commands find it by its folder', async () => {
    const { stop: _, ...addresses } = stack;
    expect(await attachToStack(dataDir)).toEqual(addresses);
    expect(await attachToStack(join(dataDir, 'elsewhere'))).toBeUndefined();
  });

  test.each(['postgres', 'temporal'] as const)(
    '%s killed in the middle serves again at the same address',
    async (part) => {
      const before = (await readStackState(dataDir))?.[part]?.process;
      if (before === undefined) throw new Error(`no ${part} in the state file`);
      process.kill(before.pid, 'SIGKILL');

      const after = await until(async () => {
        const now = (await readStackState(dataDir))?.[part]?.process;
        return now?.pid !== before.pid && now;
      });
      expect(isAlive(after)).toBe(true);
      expect(await query(stack.databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(await registeredSearchAttributes(stack.temporalAddress, stack.namespace, searchAttributes)).toHaveLength(
        4,
      );
    },
  );

  test('a second folder runs side by side', async () => {
    const other = await startStack({ dataDir: dataFolderNow() });
    try {
      expect(other.databaseUrl).not.toBe(stack.databaseUrl);
      expect(other.temporalAddress).not.toBe(stack.temporalAddress);
      await query(other.databaseUrl, 'create table mine (x int)');
      expect(await query(stack.databaseUrl, "select to_regclass('mine') as mine")).toEqual([{ mine: null }]);
    } finally {
      await other.stop();
    }
  });
  const dataFolderNow = () => join(dataDir, 'inner');

  test('a stop leaves no process, and a warm start keeps data and addresses', async () => {
    await query(stack.databaseUrl, 'create table kept (x int); insert into kept values (7)');
    const { stop, ...addresses } = stack;
    const servers = serversOn(dataDir).map(identify);
    expect(servers).toHaveLength(2);
    await stop();
    await stop();
    expect(serversOn(dataDir)).toEqual([]);
    expect(await attachToStack(dataDir)).toBeUndefined();

    stack = await startStack({ dataDir });
    expect(stack).toEqual({ ...addresses, stop: expect.any(Function) });
    expect(await query(stack.databaseUrl, 'select x from kept')).toEqual([{ x: 7 }]);
  });

  test('a pid file whose pid is a stranger’s now does not keep PostgreSQL from starting', async () => {
    await stack.stop();
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`);
    stack = await startStack({ dataDir });
    expect(await query(stack.databaseUrl, 'select x from kept')).toEqual([{ x: 7 }]);
  });
});

test('given servers replace the embedded ones', async () => {
  const dataDir = dataFolder();
  const given = {
    databaseUrl: 'postgresql://db.invalid/x',
    temporalAddress: 'temporal.invalid:7233',
    namespace: 'team',
  };
  const stack = await startStack({ dataDir, ...given });
  expect(stack).toEqual({ ...given, stop: expect.any(Function) });
  expect(serversOn(dataDir)).toEqual([]);
  expect(await attachToStack(dataDir)).toEqual(given);
  await stack.stop();
});

test('a start that fails leaves no process and a free folder', async () => {
  const dataDir = dataFolder();
  const start = () => startStack({ dataDir, programs: { temporalCliPath: '/bin/false' } });
  await expect(start()).rejects.toThrow(/TEMPORAL_CLI_PATH is \/bin\/false/);
  expect(serversOn(dataDir)).toEqual([]);
  await expect(start()).rejects.toThrow(/TEMPORAL_CLI_PATH is \/bin\/false/);
});
