import { writeFileSync } from 'node:fs';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { tempFolder } from '../support/temp-folder';
import { foldersOf } from '../workspace/support/folders-of';
import { commitIn, gitIn } from '../workspace/support/sandpit';

/** The check waits for a file of the test's, and this is how. */
const waits = 'sleep 0.1921';
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
      acceptance: [{ id: 'slow', check: 'command', run: `until test -e go; do ${waits}; done` }],
    },
  });
  await until(() => foldersOf(waits).length > 0, 'the check runs');
  await world.send(ref, { kind: 'say', body: { text: 'Make it three, please.' } }, 'late');
  await until(() => {
    for (const folder of foldersOf(waits)) writeFileSync(`${folder}/go`, '');
    return foldersOf(waits).length === 0;
  }, 'the check ends');

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const { rows } = await world.pool.query('select disposition, why from inbox where attempt = $1', [ref.key]);
  expect(rows).toEqual([{ disposition: 'rejected', why: 'The attempt had ended (COMPLETED).' }]);
  expect((await world.events(ref)).filter(({ type }) => type === 'message_rejected')).toHaveLength(1);
});
