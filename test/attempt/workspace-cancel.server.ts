import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { running } from '../workspace/support/sandpit';
import { test as check, done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

/** A command with a child in a session of its own, both deaf to TERM. */
const deaf = (seconds: number) => `trap "" TERM; setsid sleep ${seconds} & sleep ${seconds}; sleep ${seconds}`;
const attempts = {
  command: { 1: run(deaf(9211)) },
  check: { 1: write('value.txt', 'right\n'), 2: done },
  setup: {},
};

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts);
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const cancelled = { state: 'CANCELLED', reason: 'cancelled' };
const cancel = { kind: 'cancel', body: { by: 'ana' } } as const;
const sleeps = (seconds: number) => running(`sleep ${seconds}`);

test('R11.3 a cancel during a command: its processes are dead when the attempt is CANCELLED, and nothing of it is kept', async () => {
  const ref = await world.change('command');
  await until(() => sleeps(9211).length === 2, 'the command runs');
  await world.send(ref, cancel);
  expect(await world.result(ref)).toEqual(cancelled);
  expect(sleeps(9211)).toEqual([]);
  const finished = (await world.events(ref)).filter(({ type }) => type === 'action_finished');
  expect(finished.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ tool: 'run_command', ok: false, code: 'STOPPED' }),
  ]);
});

test('R11.3 a cancel during a check: its processes are dead, and its clean copy is gone', async () => {
  const ref = await world.change('check', { acceptance: [{ ...check, run: deaf(9212) }] });
  await until(() => sleeps(9212).length === 2, 'the check runs');
  await world.send(ref, cancel);
  expect(await world.result(ref)).toEqual(cancelled);
  expect(sleeps(9212)).toEqual([]);
  const repositories = join(world.dataDir(), 'workspaces/default/repositories');
  expect(readdirSync(repositories).flatMap((name) => readdirSync(join(repositories, name, 'clean')))).toEqual([]);
});

test('R11.3 a cancel while the workspace is set up: its processes are dead, and another attempt sets it up anew', async () => {
  const workspace = { git: world.pit.repo, ref: 'main', setup: [deaf(9213)] };
  const ref = await world.change('setup', { contract: { workspace } });
  await until(() => sleeps(9213).length === 2, 'the setup runs');
  await world.send(ref, cancel);
  expect(await world.result(ref)).toEqual(cancelled);
  expect(sleeps(9213)).toEqual([]);

  const next = await world.change('setup-again', { contract: { workspace } });
  await until(() => sleeps(9213).length === 2, 'the setup runs again');
  await world.send(next, cancel);
  expect(await world.result(next)).toEqual(cancelled);
});
