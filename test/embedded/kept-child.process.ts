import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../src/embedded/kept-child';
import { identify, isAlive } from '../../src/embedded/process/process-identity';
import { dataFolder } from './support/data-folder';
import { until } from './support/until';

const logFile = join(dataFolder(), 'logs', 'worker.log');
const entry = join(__dirname, 'support', 'worker.cjs');
const graceMs = 2_000;

test('a worker that is killed is there again, and stop ends the new one', async () => {
  const told: string[] = [];
  const worker = await startChild({ name: 'worker', entry, logFile, graceMs, tell: (text) => told.push(text) });
  const first = worker.current().identity;
  process.kill(first.pid, 'SIGKILL');

  const second = await until(() => worker.current().identity.pid !== first.pid && worker.current().identity);
  expect(isAlive(second)).toBe(true);
  expect(told).toEqual([expect.stringContaining('SIGKILL')]);

  await worker.stop();
  expect(isAlive(second)).toBe(false);
  await worker.stop();
});

test('a worker that does not end in its grace is killed', async () => {
  const worker = await startChild({ name: 'worker', entry, args: ['stubborn'], logFile, graceMs: 200, tell: () => {} });
  const { identity, exited } = worker.current();
  await worker.stop();
  expect(isAlive(identity)).toBe(false);
  expect(await exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a worker that lives and does nothing is killed and replaced, and its user is told', async () => {
  const told: string[] = [];
  const tell = (text: string) => told.push(text);
  const worker = await startChild({
    name: 'worker',
    entry,
    args: ['blockable'],
    logFile,
    graceMs,
    silentMs: 3_000,
    tell,
  });
  const first = worker.current().identity;
  process.kill(first.pid, 'SIGUSR2');

  const second = await until(() => worker.current().identity.pid !== first.pid && worker.current().identity);
  expect(isAlive(first)).toBe(false);
  expect(isAlive(second)).toBe(true);
  expect(told).toEqual(['The worker has stood still for 3 s; killing it', expect.stringContaining('SIGKILL')]);
  await worker.stop();
});

test('a worker that is stopped for less than that, and one that only waits, are left alone', async () => {
  const told: string[] = [];
  const worker = await startChild({
    name: 'worker',
    entry,
    logFile,
    graceMs,
    silentMs: 6_000,
    tell: (text) => told.push(text),
  });
  const { identity } = worker.current();
  process.kill(identity.pid, 'SIGSTOP');
  await sleep(2_000);
  process.kill(identity.pid, 'SIGCONT');
  await sleep(6_000);
  expect(worker.current().identity).toEqual(identity);
  expect(told).toEqual([]);
  await worker.stop();
});

test('a worker that cannot start says why', async () => {
  const start = startChild({ name: 'worker', entry, args: ['broken'], logFile, graceMs, tell: () => {} });
  await expect(start).rejects.toThrow(/exit code 3 before it was ready:\n.*no configuration/);
});

test('a stop while a dead worker is started again leaves nothing', async () => {
  const worker = await startChild({ name: 'worker', entry, logFile, graceMs, tell: () => {} });
  const { identity, exited } = worker.current();
  process.kill(identity.pid, 'SIGKILL');
  await exited;
  await worker.stop();
  expect(isAlive(worker.current().identity)).toBe(false);
});

test('a worker does not outlive a parent that is killed', async () => {
  const parent = spawn(process.execPath, [join(__dirname, 'support', 'run-worker.cjs'), logFile], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (parent.stdout === null) throw new Error('no standard output');
  const [line] = await once(parent.stdout, 'data');
  const worker = identify(Number(String(line)));
  if (worker === undefined) throw new Error(`no worker ${line}`);
  parent.kill('SIGKILL');
  await until(() => !isAlive(worker));
});
