import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { tempFolder } from '../support/temp-folder';
import { commitIn, gitIn } from '../workspace/support/sandpit';

let world: AttemptWorld;
const repo = tempFolder('holdfast-said-late-');
beforeAll(async () => {
  gitIn(repo, 'init', '-q', '-b', 'main');
  commitIn(repo, { 'a.txt': 'one' });
  world = await attemptWorld({
    transcript: {
      steps: {
        1: { calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'two' } }] },
        2: { calls: [{ tool: 'finish', args: { summary: 'Done.', status: 'done' } }] },
      },
    },
    workspaces: (dataDir) => createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
  });
  await world.startWorker();
});
afterAll(() => world.close());

test('M8 a word that comes while the work is checked is rejected where its sender sees it, never taken unheard', async () => {
  const ref = await world.start({
    contract: {
      kind: 'code_change',
      tools: ['write_file'],
      workspace: { git: repo, ref: 'main', setup: [] },
      acceptance: [{ id: 'slow', check: 'command', run: 'sleep 2' }],
    },
  });
  await world.until(ref, 'VERIFYING');
  await world.send(ref, { kind: 'say', body: { text: 'Make it three, please.' } }, 'late');

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const { rows } = await world.pool.query('select disposition, why from inbox where attempt = $1', [ref.key]);
  expect(rows).toEqual([{ disposition: 'rejected', why: 'The attempt had ended (COMPLETED).' }]);
  expect((await world.events(ref)).filter(({ type }) => type === 'message_rejected')).toHaveLength(1);
}, 30_000);
