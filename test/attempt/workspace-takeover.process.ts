import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef } from '../../src/protocol/ids';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import { foldersOf } from '../workspace/support/folders-of';
import { gitIn } from '../workspace/support/sandpit';
import { done, run, type WorkspaceWorld, workspaceWorld } from './support/workspace-world';

/** Waits in the middle for a file of the test's; a try on top of another's half-done work would show in the log. */
const command = (waits: string) =>
  run(`echo begun >> log.txt; until test -e go; do ${waits}; done; rm go; echo ended >> log.txt; cat log.txt`);
const waits = { killed: 'sleep 0.9221', frozen: 'sleep 0.9222' };
const attempts = { killed: { 1: command(waits.killed), 2: done }, frozen: { 1: command(waits.frozen), 2: done } };
const acceptance = [
  { id: 'once', check: 'command', run: 'test "$(cat log.txt)" = "$(printf "begun\\nended")"' } as const,
];

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts);
});
afterAll(() => world.close());

const tries = (ref: AttemptRef) =>
  rowsOf<{ execution: number; outcome: string | null }>(
    world.pool,
    ref,
    `select execution, outcome from tool_tries where attempt = $1 and step = 1 order by execution`,
  );
async function expectOnce(ref: AttemptRef): Promise<void> {
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await tries(ref)).toEqual([
    { execution: 1, outcome: 'lost' },
    { execution: 2, outcome: 'ok' },
  ]);
  expect((await observations(world.pool, ref))[0]).toMatchObject({ ok: true, text: 'exit code 0\nbegun\nended\n' });
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:log.txt`)).toBe('begun\nended');
  expect(await brokenInvariants(world.pool)).toEqual([]);
}

test('E10 a worker killed in a command: its half-done work is gone, the command runs again from the snapshot, and is observed once', async () => {
  const worker = await world.startProcess();
  const ref = await world.change('killed', { acceptance });
  await until(() => foldersOf(waits.killed).length > 0, 'the command runs');
  await worker.kill();
  const next = await world.startProcess();
  await goOn(ref, waits.killed, '/w1/tree');
  await expectOnce(ref);
  await next.kill();
});

test('E10, M9 a worker frozen in a command: another takes the attempt over in a fresh worktree, and the one that wakes changes nothing', async () => {
  const frozen = await world.startProcess();
  const ref = await world.change('frozen', { acceptance });
  await until(() => foldersOf(waits.frozen).length > 0, 'the command runs');
  const next = await world.startProcess();
  frozen.signal('SIGSTOP');
  await until(() => foldersOf(waits.frozen).some((folder) => folder.endsWith('/w2/tree')), 'the other takes over');
  // The sandbox of the killed group is taken down by the kernel, a moment after its first process has ended.
  await until(() => !foldersOf(waits.frozen).some((folder) => folder.endsWith('/w1/tree')), 'the old tree is left');
  frozen.signal('SIGCONT');
  await goOn(ref, waits.frozen, '/w2/tree');
  await expectOnce(ref);
  await sleep(1_000); // what the frozen one still does, it has done by now
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:log.txt`)).toBe('begun\nended');
  expect(await brokenInvariants(world.pool)).toEqual([]);
  for (const worker of [frozen, next]) await worker.kill();
});

/** Lets the command end that runs there, until the second try has its outcome. */
async function goOn(ref: AttemptRef, line: string, tree: string): Promise<void> {
  await until(async () => {
    const folder = foldersOf(line).find((path) => path.endsWith(tree));
    if (folder !== undefined) writeFileSync(`${folder}/go`, '');
    return (await tries(ref)).at(1)?.outcome === 'ok';
  }, `the command ends in ${tree}`);
}
