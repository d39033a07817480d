import { brokenInvariants } from '../support/ledger-invariants';
import { gitIn } from '../workspace/support/sandpit';
import {
  blocked,
  call,
  test as check,
  done,
  run,
  type WorkspaceWorld,
  workspaceWorld,
  write,
} from './support/workspace-world';

const right = write('value.txt', 'right\n');
const attempts = {
  repairs: { 1: call('read_file', { path: 'value.txt' }), 2: right, 3: run('sh test.sh'), 4: done },
  patches: {
    1: call('apply_patch', { patch: '--- a/value.txt\n+++ b/value.txt\n@@ -1 +1 @@\n-wrong\n+right\n' }),
    2: done,
  },
  boasts: { 1: write('value.txt', 'better\n'), 2: done, 3: right, 4: done },
  never: { 1: write('value.txt', 'better\n'), 2: done, 3: done, 4: done, 5: done },
  idle: { 1: done, 2: blocked },
  litters: { 1: right, 2: write('notes.md', 'x'), 3: done, 4: run('rm notes.md'), 5: done },
  ignored: { 1: run('echo right > value.txt; touch built.bin; sh test.sh'), 2: done },
  sealed: { 1: write('value.txt', 'better\n'), 2: done, 3: right, 4: done },
  undetermined: { 1: right, 2: done, 3: run('echo "#!/bin/sh" > tool; chmod +x tool'), 4: done },
  hangs: { 1: right, 2: done, 3: blocked },
};

describe.each([
  ['local', true],
  ['regular', false],
])('a change of code, with %s model calls', (_lane, quick) => {
  let world: WorkspaceWorld;
  beforeAll(async () => {
    world = await workspaceWorld(attempts, { quick, more: { '.gitignore': 'built.bin\n' } });
    await world.startWorker();
  });
  afterAll(() => world.close());
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

  const typesOf = async (ref: Parameters<WorkspaceWorld['events']>[0]) =>
    (await world.events(ref)).map(({ type }) => type);

  test.each(['repairs', 'patches'])(
    'R3.3 COMPLETED with the test passing in a clean copy, and the branch made (%s)',
    async (task) => {
      const ref = await world.change(task);
      expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
      expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:value.txt`)).toBe('right');
      expect(gitIn(world.pit.repo, 'diff', '--name-only', 'main', `holdfast/${ref.id}`)).toBe('value.txt');
      expect(gitIn(world.pit.repo, 'status', '--porcelain')).toBe('');
      expect(await typesOf(ref)).not.toContain('repair_requested');
    },
  );

  test('R3.4 “done” while the test fails is no success: the model gets the difference, and repairs', async () => {
    const ref = await world.change('boasts');
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    const events = await world.events(ref);
    expect(events.filter(({ type }) => type === 'repair_requested').map(({ payload }) => payload)).toEqual([
      { candidate: 1, unmet: ['test'] },
    ]);
    expect(world.shown()).toContain('value.txt is not right'); // what the check printed
    expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:value.txt`)).toBe('right');
  });

  test('R6.3 repairs that are used up suspend, and nothing is committed', async () => {
    const ref = await world.change('never', { limits: { maxRepairs: 2 } });
    expect(await world.stopped(ref)).toEqual({ state: 'SUSPENDED', reason: 'budget_exceeded' });
    const over = (await world.events(ref)).find(({ type }) => type === 'budget_exceeded');
    expect(over?.payload).toMatchObject({ limit: 'maxRepairs' });
    expect(gitIn(world.pit.repo, 'branch', '--list', 'holdfast/never/*')).toBe('');
  });

  test('R3.3 nothing changed is never a change, though every test passes', async () => {
    const ref = await world.change('idle', { acceptance: [{ id: 'passes', check: 'command', run: 'true' }] });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
    expect(world.shown()).toContain('Nothing differs from the commit where the work began.');
    expect(await typesOf(ref)).not.toContain('committed');
  });

  test('R3.3 a file outside the permitted paths has to go before it completes', async () => {
    const only = [{ id: 'only', check: 'diff', only: ['value.txt'] } as const, check];
    const ref = await world.change('litters', { acceptance: only });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(gitIn(world.pit.repo, 'diff', '--name-only', 'main', `holdfast/${ref.id}`)).toBe('value.txt');
  });

  test('R3.3 what git ignores is in no clean copy: a test that needs it fails there', async () => {
    const needs = [{ id: 'needs', check: 'command', run: 'sh test.sh && test ! -e built.bin' } as const];
    const ref = await world.change('ignored', { acceptance: needs });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  });

  test('R3.4 a check without repair gives no feedback: its failure ends the candidate, and a person decides', async () => {
    const ref = await world.change('sealed', { acceptance: [{ ...check, repair: false }] });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
    expect(await typesOf(ref)).not.toContain('repair_requested');
    expect(world.shown()).not.toContain('is not right');
    await world.send(ref, { kind: 'say', body: { text: 'Try once more.' } });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  });

  test('R8.2 a check that cannot start is the environment’s failure: it waits, charges no repair, and goes on by a word', async () => {
    const ref = await world.change('undetermined', { acceptance: [{ id: 'tool', check: 'command', run: './tool' }] });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
    const events = await world.events(ref);
    expect(events.filter(({ type }) => type === 'criterion_checked').map(({ payload }) => payload)).toEqual([
      { criterion: 'changed', met: true, candidate: 1 },
      { criterion: 'tool', met: false, candidate: 1, code: 'CHECK_NOT_STARTED' },
    ]);
    expect(events.map(({ type }) => type)).not.toContain('repair_requested');

    await world.send(ref, { kind: 'say', body: { text: 'The tool is not there; make it.' } });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  });

  test('R9.1 a check that does not end is ended, and counts as failed', async () => {
    const ref = await world.change('hangs', { acceptance: [{ ...check, run: 'sleep 9201', timeoutMs: 300 }] });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
    expect(world.shown()).toContain('did not end within 300 ms');
  });
});
