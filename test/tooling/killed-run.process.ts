import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { identify } from '../../src/embedded/process/process-identity';
import { until } from '../support/gate';
import { tempFolder } from '../support/temp-folder';

const rootDir = tempFolder('holdfast-killed-run-');
const pids = () =>
  readdirSync(rootDir).flatMap((name) => (name.startsWith('pid-') ? [Number(name.slice('pid-'.length))] : []));
const left = () => pids().filter((pid) => identify(pid) !== undefined);
afterAll(() => {
  for (const pid of left()) process.kill(pid, 'SIGKILL');
});

const program = resolve(__dirname, '../../node_modules/jest/bin/jest.js');
const testEnvironment = resolve(__dirname, '../support/file-environment.cjs');

test('the workers of a jest run that is killed end with it, whatever their tests wait for', async () => {
  const waits = `test('waits', () => { require('fs').writeFileSync('${rootDir}/pid-' + process.pid, ''); return new Promise((end) => setTimeout(end, 600_000)); }, 600_000);`;
  for (const name of ['one', 'other']) writeFileSync(join(rootDir, `${name}.test.js`), waits);
  const config = JSON.stringify({ rootDir, testEnvironment, transform: {} });
  const run = spawn(process.execPath, [program, '--config', config, '--maxWorkers=2'], { stdio: 'ignore' });
  try {
    await until(() => pids().length === 2, 'both files run');
    expect(pids()).not.toContain(run.pid);
  } finally {
    run.kill('SIGKILL');
  }
  await until(() => left().length === 0, 'no worker is left');
});
