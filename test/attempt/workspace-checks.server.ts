import { readFileSync } from 'node:fs';
import type { CommandCriterion } from '../../src/domain/contract/contract';
import { brokenInvariants } from '../support/ledger-invariants';
import { gitIn } from '../workspace/support/sandpit';
import {
  blocked,
  call,
  test as check,
  done,
  type WorkspaceWorld,
  workspaceWorld,
  write,
} from './support/workspace-world';

const right = write('value.txt', 'right\n');
const cite = call('finish', {
  summary: 'It is so.',
  status: 'done',
  citations: [{ source: 'notes.md', quote: 'The moon is made of cheese.' }],
});
const attempts = {
  scribbles: { 1: right, 2: done },
  crashes: { 1: right, 2: done, 3: blocked },
  lies: {
    1: write('notes.md', 'The moon is made of cheese.\n'),
    2: call('read_file', { path: 'notes.md' }),
    3: call('run_command', { command: 'git rm --quiet --cached notes.md; rm -f notes.md' }),
    4: cite,
    5: blocked,
  },
};
let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts);
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const evidenceOf = async (key: number) =>
  (await world.pool.query('select criterion, met, body from evidence where attempt = $1 order by criterion', [key]))
    .rows;

test('R3.3 a check that writes, deletes and commits does so in its own copy: neither a later check nor the result has it', async () => {
  const scribble: CommandCriterion = {
    id: 'a-scribble',
    check: 'command',
    run: 'echo wrong > value.txt; echo x > extra.txt; rm test.sh; git add -A; git -c user.name=x -c user.email=x@x commit -qm x; true',
  };
  const ref = await world.change('scribbles', { acceptance: [scribble, check] });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(gitIn(world.pit.repo, 'diff', '--name-only', 'main', `holdfast/${ref.id}`)).toBe('value.txt');
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:value.txt`)).toBe('right');
  expect(gitIn(world.pit.repo, 'status', '--porcelain')).toBe('');
  expect(readFileSync(`${world.pit.repo}/value.txt`, 'utf8')).toBe('wrong\n');
});

test('R3.5 a check that crashes has failed, and the evidence says how it ended', async () => {
  const crash: CommandCriterion = { id: 'crash', check: 'command', run: 'echo before; kill -SEGV $$' };
  const ref = await world.change('crashes', { acceptance: [crash] });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(await evidenceOf(ref.key)).toMatchObject([
    { criterion: 'changed', met: true },
    {
      criterion: 'crash',
      met: false,
      body: { output: expect.stringContaining('before'), exitCode: expect.anything() },
    },
  ]);
});

test('R3.3 a source that the attempt wrote itself before it read it proves nothing, also when it is gone by then', async () => {
  const ref = await world.start({
    task: 'lies',
    contract: {
      kind: 'research',
      goal: 'What is the moon made of?',
      tools: ['read_file', 'write_file', 'run_command'],
      acceptance: [{ id: 'cited', check: 'citations' }],
      workspace: { git: world.pit.repo, ref: 'main', setup: [] },
    },
  });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(await evidenceOf(ref.key)).toMatchObject([
    { criterion: 'cited', met: false, body: { detail: expect.stringContaining('was written by this attempt') } },
  ]);
});
