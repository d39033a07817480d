import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder';
import { client, commandLine, finished, type Ran, until } from './support/command-line';

const folder = tempFolder('holdfast-demo-');
const { run, start } = commandLine(folder);
const repo = join(folder, '.holdfast/demo/repair/repo');
const journal = join(folder, '.holdfast/demo/shop/journal.jsonl');
const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
/** What the shop committed, from its own file. */
const shopLines = () =>
  readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line): { operation: string; key?: string; args: Record<string, unknown> } => JSON.parse(line));
const refunds = () => shopLines().filter(({ operation }) => operation === 'create_refund');
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
  const { code, stdout } = await run('demo', '--yes');

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

  // R4: the shop's own journal has one refund, although its answer was lost and the refund was sent again.
  expect(stdout).toMatch(/create_refund\tCOMMITTED\t2\tlarge-refunds: ana/);
  const [refund, ...others] = refunds();
  expect(others).toEqual([]);
  expect(refund?.args).toEqual({ orderId: 'demo-1', amount: 120 });
  expect(stdout).toContain(`\tcreate_refund\t${refund?.key}\t`);
  expect(processesOfFolder()).toEqual([]);
});

/** util-linux's `script` runs a command on a terminal of its own. */
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script');
const rightArrow = '\u001b[C';
/** A demo on a terminal, whose question is answered with these keys. */
function answering(keys: string): Promise<Ran> {
  const command = `stty cols 160; exec ${process.execPath} ${client} demo`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  until(child)('Approve?').then(
    () => child.stdin.write(keys),
    () => {}, // it ended before; what it said is looked at
  );
  return finished(child);
}

test('R5.4 where nobody can be asked the refund waits, and it is said how to answer; nothing is refunded', async () => {
  const { code, stdout } = await run('demo');
  expect(code).toBe(3);
  expect(stdout).toMatch(/repair\/2\n *state +COMPLETED/);
  expect(stdout).toContain('npm run demo -- --yes approves as ana and goes on with it;');
  // Its shop is gone when it ends, so no other command could carry the refund out.
  expect(stdout).not.toContain('holdfast approve');
  expect(refunds()).toHaveLength(1);
});

(hasScript ? test : test.skip)(
  'R5.3 the next demo goes on with it, and asks on the terminal: a no is no refund',
  async () => {
    const { code, stdout } = await answering(`${rightArrow}\r`);
    expect(code).toBe(3);
    expect(stdout).toContain('Going on with refund-demo-2/1, which an earlier demo left in the middle.');
    expect(stdout).toMatch(/denied[^\n]* by ana[\s\S]*WAITING_FOR_USER[^\n]*\(blocked\)/);
    expect(refunds()).toHaveLength(1);
  },
);

test('R9.1 Ctrl-C in the middle ends it with 130 and leaves no process; the next demo goes on with the same attempt', async () => {
  const demo = start('demo', '--yes');
  await demo.output('step 2');
  demo.child.kill('SIGINT');
  expect((await demo.ended).code).toBe(130);
  expect(processesOfFolder()).toEqual([]);

  // A yes on the terminal is a yes.
  const { code, stdout } = await (hasScript ? answering('\r') : run('demo', '--yes'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Going on with repair\/\d, which an earlier demo left in the middle\./);
  expect(stdout).toContain('create_refund was sent 2 times under one key, and the shop did it 1 time.');
  expect(refunds().map(({ args }) => args['orderId'])).toEqual(['demo-1', 'demo-2']);
});

test('a demo whose model did not answer is told as waiting; the next one cancels it and runs anew', async () => {
  // Nothing listens there, and a call that nobody answers pauses the attempt.
  const env = { HOLDFAST_MODEL: 'm', HOLDFAST_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' };
  const stuck = await commandLine(folder, env).run('demo', '--yes');
  expect(stuck.code).toBe(3);
  expect(stuck.stdout.split('\n')[0]).toBe('The model is openai-compatible m.');
  expect(stuck.stdout).toContain('WAITING_FOR_USER');

  const next = await run('demo', '--yes', '--json');
  const document = JSON.parse(next.stdout);
  const replaced = [
    { id: expect.stringMatching(/^(repair|refund-demo-3)\/\d$/), state: 'WAITING_FOR_USER', ended: true },
  ];
  expect(document).toMatchObject({
    repair: { state: 'COMPLETED', outcome: 'created', replaced },
    refund: {
      attemptId: 'refund-demo-3/2',
      state: 'COMPLETED',
      replaced,
      effects: [
        { tool: 'create_refund', phase: 'COMMITTED', tries: 2, authorization: { approvedBy: ['ana'] } },
        { tool: 'set_note', phase: 'COMMITTED' },
      ],
      shopLog: [{ operation: 'create_refund' }, { operation: 'set_note' }],
    },
  });
  expect(document.repair.workspace.branch).toBe(`holdfast/${document.repair.attemptId}`);
  expect(next.stderr).toMatch(/repair\/\d of an earlier demo is still open \(WAITING_FOR_USER\); it is cancelled/);
});
