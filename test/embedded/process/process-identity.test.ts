import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endProcess } from '../../../src/embedded/process/end-process';
import { identify, isAlive } from '../../../src/embedded/process/process-identity';

async function sleeper() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('no process');
  return { child, identity };
}

test('a process is alive until it has ended', async () => {
  const { child, identity } = await sleeper();
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
});

test('another process with the same pid is somebody else, and is not ended', async () => {
  const { child, identity } = await sleeper();
  const predecessor = { ...identity, startedAt: `${identity.startedAt}0` };
  expect(isAlive(predecessor)).toBe(false);
  await endProcess(predecessor, [{ signal: 'SIGKILL', graceMs: 10 }]);
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a process that ignores the first signal is killed', async () => {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; echo on; while :; do sleep 1; done'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('no process');
  await endProcess(identity, [{ signal: 'SIGTERM', graceMs: 100 }]);
  expect(isAlive(identity)).toBe(false);
});
