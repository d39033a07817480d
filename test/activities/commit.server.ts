import { createCommit } from '../../src/activities/commit';
import { createPrepare } from '../../src/activities/prepare';
import { createRecord } from '../../src/activities/record';
import { insertMessage } from '../../src/ledger/inbox';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { commitIn, gitIn, sandpit } from '../workspace/support/sandpit';

const pit = sandpit({ 'a.txt': 'one\n' });
const workspaces = createWorkspaces({ dataDir: tempFolder('holdfast-commit-'), sandbox: 'auto', env: process.env });
let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({ steps: { 1: { text: 'Done.' } } });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function prepared(task: string) {
  const worker = { ...(await world.worker()), workspaces };
  const ref = await world.attempt({ task, contract: { kind: 'code_change', workspace: pit.spec } });
  await createPrepare(worker)(callOf<'prepare'>(ref, 1, {}), never);
  return { worker, ref, call: callOf<'commit'>(ref, 2, { candidate: 1 }) };
}

test('M5 a commit whose worker died after it had published is told as committed, whatever cancel came meanwhile', async () => {
  const { worker, ref, call } = await prepared('dies');
  const dying = {
    ...workspaces,
    async commit(...args: Parameters<typeof workspaces.commit>): Promise<string> {
      await workspaces.commit(...args);
      throw new Error('the worker died here');
    },
  };
  await expect(createCommit({ ...worker, workspaces: dying })(call, never)).rejects.toThrow('died here');
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });

  const again = await createCommit({ ...(await world.worker()), workspaces })(call, never);

  expect(again.answer).toEqual({ kind: 'committed' });
  expect(again.named).toBeUndefined();
  expect(await eventTypes(world.pool, ref)).toContain('committed');
  // The cancel is left for the next call, which is the end, and that tells its sender.
  const next = await createRecord(worker)(callOf<'record'>(ref, 3, { at: 'flush' }), never);
  expect(next).toMatchObject({ answer: { kind: 'cancel' }, named: [{ id: 'c', as: 'taken' }] });
});

test('M5 a cancel that is there before the commit wins: nothing is published', async () => {
  const { worker, ref, call } = await prepared('cancelled');
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  expect((await createCommit(worker)(call, never)).answer).toEqual({ kind: 'interrupted' });
  expect(gitIn(pit.repo, 'branch', '--list', `holdfast/${ref.id}`)).toBe('');
});

test('M2 a branch that is there with other content is a refusal that people can read, not three lost calls', async () => {
  const { worker, ref, call } = await prepared('taken');
  commitIn(pit.repo, { 'a.txt': 'somebody else\n' });
  gitIn(pit.repo, 'branch', `holdfast/${ref.id}`);

  expect((await createCommit(worker)(call, never)).answer).toEqual({
    kind: 'failed',
    failure: { class: 'state_conflict', code: 'BRANCH_EXISTS' },
  });
  const { rows } = await world.pool.query("select payload from events where attempt = $1 and type = 'commit_failed'", [
    ref.key,
  ]);
  expect(rows).toEqual([{ payload: expect.objectContaining({ code: 'BRANCH_EXISTS', branch: `holdfast/${ref.id}` }) }]);
});
