import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../src/domain/contract/contract';
import type { AttemptRef } from '../../src/protocol/ids';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import type { WorkerProcess } from '../support/worker-process';
import { foldersOf } from '../workspace/support/folders-of';
import { gitIn, type Sandpit, sandpit } from '../workspace/support/sandpit';
import { done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

/** Adds to what was written before, and waits in the middle for a file of the test's; a second run on top of a first would show. */
const half = (waits: string) =>
  run(`echo begun >> log.txt; until test -e go; do ${waits}; done; rm go; echo ended >> log.txt; cat log.txt`);
const waits = { killed: 'sleep 0.9331', frozen: 'sleep 0.9332', large: 'sleep 0.9333' };
const first = write('log.txt', 'first\n');
const makeFiles = run('mkdir made out && for i in $(seq 5000); do echo $i > made/$i; done; echo no > out/ignored');
const script = { 1: first, 3: half(waits.killed), 4: done };
const attempts = {
  killed: {
    ...script,
    2: run('ln -s log.txt link; echo "#!/bin/sh" > tool.sh; chmod +x tool.sh; mkdir out; echo > out/x'),
  },
  frozen: { ...script, 2: write('other.txt', 'x'), 3: half(waits.frozen) },
  large: { ...script, 2: makeFiles, 3: half(waits.large) },
};
const once = 'test "$(cat log.txt)" = "$(printf "first\\nbegun\\nended")" && ! test -e out';

let world: WorkspaceWorld;
/** 5,000 files, of which each says something else. */
let large: Sandpit;
beforeAll(async () => {
  world = await workspaceWorld(attempts, { more: { '.gitignore': 'out/\n' } });
  const texts = Array.from({ length: 5_000 }, (_, i) => [`src/${i % 50}/${i}.txt`, randomBytes(400).toString('hex')]);
  large = sandpit({ ...Object.fromEntries(texts), '.gitignore': 'out/\n' });
});
afterAll(async () => {
  large.remove();
  await world.close();
});

interface Hosts {
  readonly ref: AttemptRef;
  /** Has the worktree, and runs the command. */
  readonly holder: string;
  readonly other: string;
  readonly processes: ReadonlyMap<string, WorkerProcess>;
  /** The worktree of a host, once the command runs there. */
  tree(host: string): string | undefined;
}

/** An attempt in the middle of its command, on one of two hosts. */
async function inCommand(task: keyof typeof waits, contract: Partial<Contract> = {}): Promise<Hosts> {
  const names = ['one', 'two'].map((name) => `${task}-${name}`);
  const processes = new Map<string, WorkerProcess>();
  for (const name of names) processes.set(name, await world.startProcess({ host: name }));
  const acceptance = [{ id: 'once', check: 'command', run: once } as const];
  const ref = await world.change(task, { acceptance, contract, snapshot: { hosts: 'many' } });
  const tree = (host: string) =>
    foldersOf(waits[task]).find((folder) => folder.startsWith(`${world.hostFolder(host)}/`));
  await until(() => names.some((name) => tree(name)), 'the command runs');
  const [holder, other] = tree(names[0] ?? '') ? names : names.toReversed();
  if (holder === undefined || other === undefined) throw new Error('There are two hosts.');
  return { ref, holder, other, processes, tree };
}

/** Lets the command end on the other host; the attempt completes, and its command was observed once. */
async function expectMoved({ ref, holder, other, tree }: Hosts): Promise<void> {
  writeFileSync(join(tree(other) ?? '', 'go'), '');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect((await observations(world.pool, ref)).at(2)).toMatchObject({
    ok: true,
    text: 'exit code 0\nfirst\nbegun\nended\n',
  });
  const tries = `select step, execution, outcome from tool_tries where attempt = $1 order by step, execution`;
  expect(await rowsOf(world.pool, ref, tries)).toEqual([
    { step: 1, execution: 1, outcome: 'ok' },
    { step: 2, execution: 1, outcome: 'ok' },
    { step: 3, execution: 1, outcome: 'lost' },
    { step: 3, execution: 2, outcome: 'ok' },
  ]);
  const moved = (await world.events(ref)).filter(({ type }) => type === 'workspace_moved');
  const snapshot = expect.stringMatching(/^[0-9a-f]{40}$/);
  expect(moved.map(({ payload }) => payload)).toEqual([{ from: holder, to: other, snapshot }]);
  expect(await brokenInvariants(world.pool)).toEqual([]);
}

test('M9, E10 a host is killed in a command: another makes the workspace from its snapshots, and the command runs there', async () => {
  const hosts = await inCommand('killed');
  const { ref, holder, other, processes, tree } = hosts;
  expect(existsSync(join(world.hostFolder(other), 'workspaces'))).toBe(false);

  await processes.get(holder)?.kill();
  const killedAt = performance.now();
  await until(() => tree(other) !== undefined, 'the other host runs it');
  process.stdout.write(`a killed host's command runs on another one after ${since(killedAt)} ms\n`);
  await expectMoved(hosts);
  expect(gitIn(world.pit.repo, 'ls-tree', `holdfast/${ref.id}`, 'link', 'tool.sh', 'out')).toMatch(
    /^120000 blob \w+\tlink\n100755 blob \w+\ttool.sh$/,
  );
  await processes.get(other)?.kill();
});

test('M9 a host is frozen in a command: another takes the workspace over, and the one that wakes changes nothing', async () => {
  const hosts = await inCommand('frozen');
  const { ref, holder, other, processes, tree } = hosts;
  processes.get(holder)?.signal('SIGSTOP');
  await until(() => tree(other) !== undefined, 'the other host runs it');
  writeFileSync(join(tree(holder) ?? '', 'go'), ''); // its command was never stopped, and ends
  await until(() => tree(holder) === undefined, 'the command ends on the frozen host');
  processes.get(holder)?.signal('SIGCONT');
  await until(async () => (await leasesOf(holder)) > 1, 'the host that wakes has a new lease');
  await expectMoved(hosts);
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:log.txt`)).toBe('first\nbegun\nended');
  for (const worker of processes.values()) await worker.kill();
});

/** It is 20 s that are promised, on two cores that do other work too; measured 1.6 s. */
const takeOverMaxMs = 20_000;

test('a workspace of 10,000 files is taken over within 20 s after the end of its host was noticed', async () => {
  const hosts = await inCommand('large', { workspace: { git: large.repo, ref: 'main', setup: [] } });
  const { ref, holder, other, processes, tree } = hosts;
  await processes.get(holder)?.kill();
  const killedAt = performance.now();
  let noticedAt = 0;
  await until(async () => {
    if (noticedAt === 0 && (await isMoved(ref))) noticedAt = performance.now();
    return tree(other) !== undefined;
  }, 'the other host runs it');
  const figures = `${since(noticedAt)} ms after it was noticed, ${since(killedAt)} ms after the kill`;
  process.stdout.write(`a workspace of 10,000 files is taken over: its command runs ${figures}\n`);
  expect(noticedAt).toBeGreaterThan(0);
  expect(since(noticedAt)).toBeLessThan(takeOverMaxMs);
  expect(
    gitIn(tree(other) ?? '', 'ls-files', '--cached', '--others', '--exclude-standard').split('\n').length,
  ).toBeGreaterThan(10_000);
  await expectMoved(hosts);
  await processes.get(other)?.kill();
});

const since = (from: number) => Math.round(performance.now() - from);

async function isMoved(ref: AttemptRef): Promise<boolean> {
  return (await world.events(ref)).some(({ type }) => type === 'workspace_moved');
}

async function leasesOf(host: string): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'select count(*)::int as count from workers where workspace_host = $1',
    [host],
  );
  return rows[0]?.count ?? 0;
}
