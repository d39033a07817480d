import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder';
import { commandLine } from './support/command-line';

const folder = tempFolder('holdfast-demo-');
const { run, start } = commandLine(folder);
const repo = join(folder, '.holdfast/demo/repair/repo');
const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
/** Fetching the servers on a machine that has none takes a while. */
jest.setTimeout(300_000);

/** Processes that were started for this folder, by their command lines. */
function processesOfFolder(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // it ended meanwhile
      }
    })
    .filter((line) => line.includes(folder));
}

test('R3.5 the demo repairs the repository: a false "done" is sent back, and success is what a clean copy shows', async () => {
  const { code, stdout } = await run('demo');

  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toContain('scripted model');
  expect(stdout).toMatch(/check +✗ tests[\s\S]*NEEDS_REPAIR[\s\S]*check +✓ tests[\s\S]*COMPLETED \(success\)/);
  expect(stdout).toMatch(/used +USD 0\.0\d+ of/);
  const [, branch] = stdout.match(/git -C .* show (\S+)/) ?? [];
  expect(branch).toBe('holdfast/repair/1');

  expect(git('status', '--porcelain')).toBe('');
  expect(git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('main');
  expect(git('diff', '--name-only', 'main', 'holdfast/repair/1').trim().split('\n')).toEqual([
    'src/cart.js',
    'src/money.js',
  ]);
  const clean = join(folder, 'clean');
  git('worktree', 'add', '--quiet', clean, 'holdfast/repair/1');
  execFileSync(process.execPath, ['--test'], { cwd: clean, env: { PATH: process.env['PATH'] } });
  expect(processesOfFolder()).toEqual([]);
});

test('the demo again is the next attempt on the same data', async () => {
  const { code, stdout } = await run('demo', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    attemptId: 'repair/2',
    state: 'COMPLETED',
    workspace: { branch: 'holdfast/repair/2' },
  });
});

test('R9.1 Ctrl-C in the middle ends it with 130 and leaves no process; the next demo goes on with the same attempt', async () => {
  const demo = start('demo');
  await demo.output('step 2');
  demo.child.kill('SIGINT');
  expect((await demo.ended).code).toBe(130);
  expect(processesOfFolder()).toEqual([]);

  const { stdout } = await run('demo');
  expect(stdout).toContain('Going on with repair/3, which an earlier demo left in the middle.');
  expect(stdout).toMatch(/repair\/3\n *state +COMPLETED/);
});

test('a demo whose model did not answer is told as waiting; the next one cancels it and runs anew', async () => {
  // Nothing listens there, and a call that nobody answers pauses the attempt.
  const env = { HOLDFAST_MODEL: 'm', HOLDFAST_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' };
  const stuck = await commandLine(folder, env).run('demo');
  expect(stuck.code).toBe(3);
  expect(stuck.stdout.split('\n')[0]).toBe('The model is openai-compatible m.');
  expect(stuck.stdout).toContain('Another demo cancels repair/4 and begins the next attempt.');

  const next = await run('demo', '--json');
  expect(JSON.parse(next.stdout)).toMatchObject({
    attemptId: 'repair/5',
    state: 'COMPLETED',
    outcome: 'created',
    replaced: [{ id: 'repair/4', state: 'WAITING_FOR_USER', ended: true }],
  });
  expect(next.stderr).toContain('repair/4 of an earlier demo is still open (WAITING_FOR_USER); it is cancelled');
});
