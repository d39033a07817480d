import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { WorkspaceSpec } from '../../src/domain/contract/contract';
import type { AttemptRef } from '../../src/protocol/ids';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { commitIn, gitIn } from '../workspace/support/sandpit';
import { call, done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

const right = write('value.txt', 'right\n');
const ask = call('ask_user', { question: 'May I go on?' });
const attempts = {
  missing: { 1: right, 2: done },
  unknown: { 1: right, 2: done },
  setup: { 1: right, 2: run('cat made.txt'), 3: done },
  removed: { 1: write('other.txt', 'kept\n'), 2: ask, 3: call('read_file', { path: 'other.txt' }), 4: right, 5: done },
  'lost-all': { 1: right, 2: ask, 3: write('other.txt', 'x'), 4: done },
  'lost-mirrors': { 1: right, 2: ask, 3: write('other.txt', 'x'), 4: done },
};

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts);
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const workspaces = (...path: string[]) => join(world.dataDir(), 'workspaces/default', ...path);
const start = (task: string, spec: Partial<WorkspaceSpec>) =>
  world.change(task, { contract: { workspace: { git: world.pit.repo, ref: 'main', setup: [], ...spec } } });
const say = (ref: AttemptRef, id: string) => world.send(ref, { kind: 'say', body: { text: 'Now it is there.' } }, id);
const failuresOf = async (ref: AttemptRef) =>
  (await world.events(ref)).filter(({ type }) => type === 'workspace_failed').map(({ payload }) => payload);

async function newestAnswer(ref: AttemptRef): Promise<string | undefined> {
  const query = "select answer -> 'answer' ->> 'kind' as kind from moves where attempt = $1 order by n desc limit 1";
  return (await world.pool.query<{ kind: string }>(query, [ref.key])).rows[0]?.kind;
}

test('R8.6 a workspace that is no repository waits, says why, and a word tries again', async () => {
  const git = join(world.pit.folder, 'later');
  mkdirSync(git);
  const ref = await start('missing', { git });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(await failuresOf(ref)).toEqual([
    { code: 'NOT_A_REPOSITORY', detail: expect.stringContaining(`${git} is not the root of a git repository. Give`) },
  ]);
  expect(world.model.requests()).toEqual([]); // no model was asked about it

  await say(ref, 'too-early');
  await until(async () => (await failuresOf(ref)).length >= 2, 'the second try');
  await until(async () => (await newestAnswer(ref)) === 'none', 'a pause that nothing ends by itself');
  gitIn(git, 'init', '-q', '-b', 'main');
  commitIn(git, { 'value.txt': 'wrong\n', 'test.sh': 'grep -q right value.txt\n' });
  await say(ref, 'in-time');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(gitIn(git, 'show', `holdfast/${ref.id}:value.txt`)).toBe('right');
});

test('R8.6 an unknown ref waits with the branches that there are, and a word tries again', async () => {
  const ref = await start('unknown', { ref: 'later' });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(await failuresOf(ref)).toEqual([{ code: 'UNKNOWN_REF', detail: expect.stringMatching(/"later".*main/s) }]);
  gitIn(world.pit.repo, 'branch', 'later');
  await say(ref, 'made');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R8.6 a setup that fails waits with the end of what it printed; each word is one more try', async () => {
  const { port, open } = await registry();
  const fetch = `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit()).on('error', (e) => { console.log('registry: ' + e.code); process.exit(3); })`;
  const ref = await start('setup', { setup: [`node -e "${fetch}"`, 'echo made > made.txt'] });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  const shut = { code: 'SETUP_FAILED', detail: expect.stringContaining('registry: ECONNREFUSED') };
  expect(await failuresOf(ref)).toEqual([shut]);

  await say(ref, 'too-early');
  await until(async () => (await failuresOf(ref)).length >= 2, 'the second try');
  await until(async () => (await newestAnswer(ref)) === 'none', 'a pause that nothing ends by itself');
  expect(await failuresOf(ref)).toEqual([shut, shut]);

  const close = await open();
  await say(ref, 'in-time');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  close();
  expect(world.shown()).toContain('made');
  expect(world.shown()).toContain('Now it is there.'); // the words that were tries are words to the model too
});

/** Something that a setup needs on the network, and that is away until it is opened. */
async function registry() {
  const server = createServer((socket) => socket.end());
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  server.close();
  await once(server, 'close');
  return {
    port,
    async open() {
      await listen(port);
      return () => server.close();
    },
  };
}

test('E10 worktrees that are removed while an attempt waits are made again from their snapshots', async () => {
  const ref = await start('removed', {});
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'waiting_for_user' });
  rmSync(workspaces('attempts'), { recursive: true });
  await say(ref, 'go-on');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:other.txt`)).toBe('kept');
  expect(readdirSync(workspaces('attempts/removed/1'))).toEqual(['w1']);
});

test.each([
  ['all', '', 'WORKSPACE_MISSING'],
  ['the mirrors', 'repositories', 'SNAPSHOT_MISSING'],
])(
  'E10 where %s of the workspaces was removed, an attempt that had written waits for a person',
  async (_what, gone, code) => {
    const task = `lost-${code === 'WORKSPACE_MISSING' ? 'all' : 'mirrors'}`;
    const ref = await start(task, {});
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'waiting_for_user' });
    rmSync(workspaces(gone), { recursive: true });
    await say(ref, 'go-on');
    await until(
      async () => (await newestAnswer(ref)) === 'none' && (await world.stopped(ref)).reason === 'blocked',
      'a pause',
    );
    const finished = (await world.events(ref)).filter(({ type }) => type === 'action_finished').at(-1);
    expect(finished?.payload).toMatchObject({ tool: 'write_file', ok: false, code });
  },
);
