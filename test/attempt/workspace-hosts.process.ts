import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import type { WorkerProcess } from '../support/worker-process';
import { foldersOf } from '../workspace/support/folders-of';
import { gitIn } from '../workspace/support/sandpit';
import { done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

const waits = 'sleep 0.9331';
/** Adds to what was written before, and waits in the middle for a file of the test's. */
const half = run(
  `echo begun >> log.txt; until test -e go; do ${waits}; done; rm go; echo ended >> log.txt; cat log.txt`,
);
const attempts = {
  killed: {
    1: write('log.txt', 'first\n'),
    2: run(
      'printf "\\000\\377" > raw.bin; ln -s log.txt link; printf "#!/bin/sh\\n" > tool.sh; chmod +x tool.sh; mkdir -p out; echo no > out/ignored',
    ),
    3: half,
    4: done,
  },
};
const acceptance = [
  {
    id: 'once',
    check: 'command',
    run: 'test "$(cat link)" = "$(printf "first\\nbegun\\nended")" && test -x tool.sh && ! test -e out',
  } as const,
];

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts, { more: { '.gitignore': 'out/\n' } });
});
afterAll(() => world.close());

test('R15.1 a host that is killed in a command: another one makes the workspace from its snapshots, and the command runs there, once', async () => {
  const hosts = new Map<string, WorkerProcess>();
  for (const host of ['one', 'two']) hosts.set(host, await world.startProcess({ host }));
  const ref = await world.change('killed', { acceptance, snapshot: { hosts: 'many' } });
  await until(() => foldersOf(waits).length > 0, 'the command runs');
  const [row] = await rowsOf<{ host: string }>(
    world.pool,
    ref,
    'select workspace_host as host from attempts where key = $1',
  );
  const first = row?.host ?? '';
  const other = first === 'one' ? 'two' : 'one';
  expect(existsSync(join(world.hostFolder(other), 'workspaces'))).toBe(false);

  await hosts.get(first)?.kill();
  const killedAt = performance.now();
  const inOther = () => foldersOf(waits).find((folder) => folder.startsWith(world.hostFolder(other)));
  await until(() => inOther() !== undefined, 'the other host runs it');
  const tookMs = Math.round(performance.now() - killedAt);
  writeFileSync(join(inOther() ?? '', 'go'), '');

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect((await observations(world.pool, ref)).at(2)).toMatchObject({
    ok: true,
    text: 'exit code 0\nfirst\nbegun\nended\n',
  });
  expect(gitIn(world.pit.repo, 'show', `holdfast/${ref.id}:log.txt`)).toBe('first\nbegun\nended');
  const events = await world.events(ref);
  expect(events.filter(({ type }) => type === 'workspace_moved').map(({ payload }) => payload)).toEqual([
    { from: first, to: other, snapshot: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
  expect(
    await rowsOf(
      world.pool,
      ref,
      'select step, execution, outcome from tool_tries where attempt = $1 order by step, execution',
    ),
  ).toEqual([
    { step: 1, execution: 1, outcome: 'ok' },
    { step: 2, execution: 1, outcome: 'ok' },
    { step: 3, execution: 1, outcome: 'lost' },
    { step: 3, execution: 2, outcome: 'ok' },
  ]);
  expect(await brokenInvariants(world.pool)).toEqual([]);
  process.stdout.write(`a killed host's command ran on another one after ${tookMs} ms\n`);
});
