import type { WorkspacePort } from '../../../src/activities/ports';
import { createWorkspaces } from '../../../src/workspace/create-workspaces';
import { commitIn, gitIn, id, never, type Sandpit, sandpit, writeIn } from '../support/sandpit';

let pit: Sandpit;
let workspaces: WorkspacePort;
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
});
afterEach(() => pit.remove());

/** The commit of a change to a.txt, made on the branch as it is now. */
async function result(ref = 'main'): Promise<string> {
  const { snapshot } = await workspaces.prepare(id, { ...pit.spec, ref }, never);
  const write = async (root: string) => writeIn(root, { 'a.txt': 'ours\n' });
  const changed = await workspaces.exclusive(id, snapshot, never, write);
  const commit = await workspaces.commit(id, changed.snapshot, 'holdfast/repair/1', 'Repair.');
  if (commit === undefined) throw new Error('nothing was committed');
  return commit;
}

test('R3.3 where the branch is as it was, the result is a fast-forward of it', async () => {
  expect(await workspaces.fit(id, await result())).toEqual({ kind: 'fast_forward' });
  gitIn(pit.repo, 'merge', '--quiet', '--ff-only', 'holdfast/repair/1');
});

test('R3.3 where the branch went on elsewhere, the two merge, as git then shows', async () => {
  const commit = await result();
  commitIn(pit.repo, { 'b.txt': 'theirs\n' });
  commitIn(pit.repo, { 'c.txt': 'theirs\n' });
  expect(await workspaces.fit(id, commit)).toEqual({ kind: 'merges', behind: 2 });
});

test('R3.3 where both changed the same place, the report names it, and neither repository is changed by it', async () => {
  const commit = await result();
  commitIn(pit.repo, { 'a.txt': 'theirs\n' });
  const refs = gitIn(pit.repo, 'show-ref');
  expect(await workspaces.fit(id, commit)).toEqual({ kind: 'conflicts', behind: 1, paths: ['a.txt'] });
  expect(gitIn(pit.repo, 'show-ref')).toBe(refs);
  expect(gitIn(pit.repo, 'status', '--porcelain')).toBe('');
});

test('R3.3 a result of a tag, or of a source that is gone, says nothing of a branch, and stands all the same', async () => {
  gitIn(pit.repo, 'tag', 'v1');
  const commit = await result('v1');
  expect(await workspaces.fit(id, commit)).toEqual({ kind: 'unknown' });
  expect(gitIn(pit.repo, 'rev-parse', 'holdfast/repair/1')).toBe(commit);
});
