import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { commitIn, gitIn } from '../workspace/support/sandpit';

const repo = tempFolder('holdfast-merge-');
const child = (parent: string, place = 's1a0') => `${parent}.1.${place}`;
const delegate = (goal: string) => ({ tool: 'delegate', args: { goal, kind: 'dialog', tools: ['write_file'] } });
const write = (path: string, content: string) => ({ tool: 'write_file', args: { path, content } });
const merge = (task: string, choices = {}) => ({ tool: 'merge_branch', args: { child: `${task}/1`, ...choices } });
const finish = { calls: [{ tool: 'finish', args: { summary: 'Done.', status: 'done' } }] };
const said = { text: 'Written.' };

let world: AttemptWorld;
beforeAll(async () => {
  gitIn(repo, 'init', '-q', '-b', 'main');
  commitIn(repo, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const [left, right] = [child('pair'), child('pair', 's1a1')];
  const attempts = {
    // Two children, two worktrees: both merged, the second one beside what the first one brought.
    pair: {
      1: { calls: [delegate('Left.'), delegate('Right.')] },
      2: { calls: [merge(left), merge(right)] },
      3: finish,
    },
    [left]: { 1: { calls: [write('left.txt', 'left\n')] }, 2: said },
    [right]: { 1: { calls: [write('right.txt', 'right\n')] }, 2: said },
    torn: {
      1: { calls: [delegate('Change it.'), write('a.txt', 'mine\n')] },
      2: { calls: [merge(child('torn'))] },
      3: { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] },
      4: { calls: [write('a.txt', 'mine and theirs\n'), merge(child('torn'), { mine: ['a.txt'] })] },
      5: finish,
    },
    [child('torn')]: { 1: { calls: [write('a.txt', 'theirs\n'), write('b.txt', 'theirs\n')] }, 2: said },
    wrong: { 1: { calls: [merge('pair'), merge(left)] }, 2: { calls: [write('c.txt', 'c\n')] }, 3: finish },
  };
  world = await attemptWorld({
    transcript: { attempts },
    workspaces: (dataDir) => createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const start = (task: string) =>
  world.start({
    task,
    contract: {
      kind: 'code_change',
      tools: ['delegate', 'merge_branch', 'read_file', 'write_file'],
      workspace: { git: repo, ref: 'main', setup: [] },
      acceptance: [{ id: 'changed', check: 'diff' }],
    },
    limits: { maxSameToolErrors: 9 },
  });
type Ref = Awaited<ReturnType<typeof start>>;
const told = async (ref: Ref) => (await observations(world.pool, ref)).map(({ text }) => text);
const committed = (ref: Ref, path: string) => gitIn(repo, 'show', `holdfast/${ref.id}:${path}`);
const completed = { state: 'COMPLETED', reason: 'success' };

test('R14.4 R15.1 two children write in two worktrees, and each one’s work is merged into the parent’s and handed over with it', async () => {
  const ref = await start('pair');
  expect(await world.result(ref)).toEqual(completed);
  const merges = (await told(ref)).filter((text) => text.startsWith('Merged'));
  expect(merges).toEqual([
    `Merged one file of ${child('pair')}/1:\nleft.txt`,
    `Merged one file of ${child('pair', 's1a1')}/1:\nright.txt`,
  ]);
  expect([committed(ref, 'left.txt'), committed(ref, 'right.txt')]).toEqual(['left', 'right']);
});

test('R14.4 R8.6 a conflict is told with both versions, merges nothing, and is decided after a look', async () => {
  const ref = await start('torn');
  expect(await world.result(ref)).toEqual(completed);
  const conflict = (await told(ref)).find((text) => text.includes('MERGE_CONFLICT')) ?? '';
  for (const part of ['a.txt', 'mine', 'theirs', '"suggested_action"']) expect(conflict).toContain(part);
  expect(conflict).not.toContain('b.txt');
  expect((await told(ref)).at(-2)).toBe(`Merged one file of ${child('torn')}/1:\nb.txt`);
  expect([committed(ref, 'a.txt'), committed(ref, 'b.txt')]).toEqual(['mine and theirs', 'theirs']);
});

test('R14.4 only a child of one’s own is merged', async () => {
  const ref = await start('wrong');
  expect(await world.result(ref)).toEqual(completed);
  const codes = (await told(ref)).slice(0, 2).map((text) => JSON.parse(text).error.code);
  expect(codes).toEqual(['NO_SUCH_CHILD', 'NO_SUCH_CHILD']);
});
