import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../src/embedded/process/process-identity';
import { StackBusyError, takeStackLock } from '../../src/embedded/stack-lock';
import { tempFolder } from '../support/temp-folder';

let dataDir = '';
beforeEach(() => {
  dataDir = tempFolder('holdfast-lock-');
});

test('of many that come at once exactly one takes it', async () => {
  const takers = await Promise.allSettled(Array.from({ length: 20 }, () => takeStackLock(dataDir)));
  expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const taker of takers) if (taker.status === 'rejected') expect(taker.reason).toBeInstanceOf(StackBusyError);
  expect(readdirSync(dataDir)).toEqual(['up.lock']);
});

test('a dead holder’s lock is taken over by exactly one', async () => {
  const dead = await deadProcess();
  for (let round = 0; round < 25; round++) {
    writeFileSync(join(dataDir, 'up.lock'), `${dead} ${round}\n`);
    const takers = await Promise.allSettled(Array.from({ length: 20 }, () => takeStackLock(dataDir)));
    const taken = takers.flatMap((taker) => (taker.status === 'fulfilled' ? [taker.value] : []));
    expect(taken).toHaveLength(1);
    expect(readdirSync(dataDir)).toEqual(['up.lock']);
    await taken[0]?.release();
  }
});

test('a process that died while it took over a dead one’s lock does not block it', async () => {
  const dead = await deadProcess();
  const content = `${dead} 1\n`;
  writeFileSync(join(dataDir, 'up.lock'), content);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  writeFileSync(join(dataDir, `up.lock.after-${hash}`), `${dead} 2\n`);
  await takeStackLock(dataDir);
  expect(readdirSync(dataDir)).toEqual(['up.lock']);
});

async function deadProcess(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('a live holder is named', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const holder = identify(child.pid ?? 0);
  writeFileSync(join(dataDir, 'up.lock'), `${holder?.pid} ${holder?.startedAt}\n`);
  await expect(takeStackLock(dataDir)).rejects.toThrow(new RegExp(`process ${holder?.pid}\\)`));
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('released, it can be taken again; a file that nobody could have written is no lock', async () => {
  const lock = await takeStackLock(dataDir);
  await lock.release();
  writeFileSync(join(dataDir, 'up.lock'), '');
  await (await takeStackLock(dataDir)).release();
  expect(readdirSync(dataDir)).toEqual([]);
});
