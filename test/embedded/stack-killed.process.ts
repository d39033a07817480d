import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { attachToStack } from '../../src/embedded/attach';
import { openPostgresFolder } from '../../src/embedded/postgres/open-postgres-folder';
import { startPostgres } from '../../src/embedded/postgres/postgres-server';
import { freePort } from '../../src/embedded/process/free-port';
import { isAlive } from '../../src/embedded/process/process-identity';
import { startOnFreePort } from '../../src/embedded/process/start-on-free-port';
import { findTemporalCli } from '../../src/embedded/programs/find-program';
import { startStack } from '../../src/embedded/stack';
import { readStackState } from '../../src/embedded/state-file';
import { chooseTemporalPorts, startTemporalServer } from '../../src/embedded/temporal/temporal-server';
import { freshTaskQueue } from '../support/stack';
import { dataFolder, serversOn } from './support/data-folder';
import { query } from './support/query';
import { until } from './support/until';

const script = join(__dirname, 'support', 'run-stack.cjs');

async function up(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  if (child.stdout === null) throw new Error('no standard output');
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('SIGKILL of everything, then a clean start with what was acknowledged', async () => {
  const dataDir = dataFolder();
  const first = await up(dataDir);
  const before = await attachToStack(dataDir);
  if (before === undefined) throw new Error('the stack is not there');
  await query(before.databaseUrl, 'create table kept (x int); insert into kept values (7)');
  const workflow = { workflowId: 'kept', taskQueue: freshTaskQueue() };
  await withClient(before, (client) => client.workflow.start('anything', workflow));

  for (const pid of serversOn(dataDir)) process.kill(pid, 'SIGKILL');
  await kill(first);
  expect(await attachToStack(dataDir)).toBeUndefined();

  const stack = await startStack({ dataDir });
  try {
    expect(stack.databaseUrl).toBe(before.databaseUrl);
    expect(stack.temporalAddress).toBe(before.temporalAddress);
    expect(await query(stack.databaseUrl, 'select x from kept')).toEqual([{ x: 7 }]);
    const kept = await withClient(stack, (client) => client.workflow.getHandle('kept').describe());
    expect(kept.status.name).toBe('RUNNING');
  } finally {
    await stack.stop();
  }
  expect(serversOn(dataDir)).toEqual([]);
});

test('the servers do not outlive an owner that is killed, where the kernel can tell them', async () => {
  const dataDir = dataFolder();
  const owner = await up(dataDir);
  expect(serversOn(dataDir)).toHaveLength(2);
  await kill(owner);

  if (process.platform === 'linux') await until(() => serversOn(dataDir).length === 0);
  const next = await up(dataDir);
  expect(await attachToStack(dataDir)).toBeDefined();
  next.kill('SIGTERM');
  await once(next, 'exit');
  expect(serversOn(dataDir)).toEqual([]);
});

test('servers that a predecessor left running are ended and replaced', async () => {
  const dataDir = dataFolder();
  const stack = await startStack({ dataDir });
  await query(stack.databaseUrl, 'create table kept (x int); insert into kept values (7)');
  await stack.stop();
  const { path: cliPath } = await findTemporalCli();
  const left = await Promise.all([
    startOnFreePort(async () => startPostgres(await openPostgresFolder(dataDir, () => {}), await freePort())),
    startOnFreePort(async () => startTemporalServer({ cliPath, dataDir, ports: await chooseTemporalPorts(undefined) })),
  ]);

  const next = await startStack({ dataDir });
  try {
    expect(left.map(({ identity }) => isAlive(identity))).toEqual([false, false]);
    expect(await query(next.databaseUrl, 'select x from kept')).toEqual([{ x: 7 }]);
    expect(serversOn(dataDir)).toHaveLength(2);
  } finally {
    await next.stop();
  }
});

test('a second owner is refused with the pid of the first', async () => {
  const dataDir = dataFolder();
  const first = await up(dataDir);
  const second = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  second.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(second, 'close');
  expect(code).toBe(1);
  expect(said).toContain(`process ${first.pid}`);
  expect((await readStackState(dataDir))?.owner.pid).toBe(first.pid);

  first.kill('SIGTERM');
  await once(first, 'exit');
  expect(serversOn(dataDir)).toEqual([]);
});

async function withClient<T>(
  { temporalAddress, namespace }: { temporalAddress: string; namespace: string },
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}
