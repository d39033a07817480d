import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '../../../src/embedded/process/keep-running';
import type { ManagedProcess } from '../../../src/embedded/process/managed-process';

const exit = { code: 1, signal: null };
const dead = (): ManagedProcess => ({
  identity: { pid: 0, startedAt: '' },
  exited: Promise.resolve(exit),
  stop: async () => {},
});

test('what keeps dying young is started with growing waits, and never after a stop', async () => {
  let starts = 0;
  const kept = await keepRunning(
    'it',
    async () => {
      starts++;
      return dead();
    },
    { tell: () => {} },
  );
  await sleep(1_000);
  expect(starts).toBeGreaterThanOrEqual(2); // the first restart is at once
  expect(starts).toBeLessThanOrEqual(5); // then 200, 400, 800 ms
  await kept.stop();
  const stopped = starts;
  await sleep(500);
  expect(starts).toBe(stopped);
});

test('a start that fails later is told and tried again', async () => {
  let starts = 0;
  const told: string[] = [];
  const restarted = new Promise<void>((resolve) => {
    const start = async () => {
      starts++;
      if (starts === 2) throw new Error('the port is taken');
      return starts === 1 ? dead() : { ...dead(), exited: new Promise<never>(() => {}) };
    };
    void keepRunning('it', start, { tell: (text) => told.push(text), onRestart: () => resolve() });
  });
  await restarted;
  expect(starts).toBe(3);
  expect(told).toEqual([
    'it ended with exit code 1; starting it again',
    'it could not be started again: the port is taken',
  ]);
});

test('the first start’s failure is the caller’s', async () => {
  const start = () => Promise.reject(new Error('no such file'));
  await expect(keepRunning('it', start, { tell: () => {} })).rejects.toThrow('no such file');
});
