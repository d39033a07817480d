/**
 * What it costs that a workspace can move to another host: steps that each change a file, with one host and with many. Ways take
 * turns, so that a busy minute of the machine falls on all of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginAttempt, endOf, putContract } from './lib/attempts';
import type { Child } from './lib/child';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { gaps, median, quantile } from './lib/stats';
import { stepStamps } from './lib/step-times';
import { type BenchWorld, openWorld } from './lib/world';

const options = readOptions('Steps that each change a file of a workspace, with one host and with many.', {
  steps: { value: 100, about: 'steps of each attempt' },
  rounds: { value: 3, about: 'times that all ways take turns' },
});
const { steps, rounds } = options.numbers;

/** `kept`: snapshots are kept as bundles, and calls are local as with one host: what a bundle costs by itself. */
const ways = {
  one: { host: undefined, hosts: undefined },
  kept: { host: 'bench', hosts: undefined },
  many: { host: 'bench', hosts: 'many' },
} as const;
type Way = keyof typeof ways;
const wayNames = ['one', 'kept', 'many'] as const satisfies readonly Way[];
const titles: Record<Way, string> = {
  one: 'one host',
  kept: 'one host, snapshots kept',
  many: 'many hosts',
};
const taskOf = (way: Way, round: number) => `${way}-${round}`;

async function main(): Promise<void> {
  const tasks = wayNames.flatMap((way) => Array.from({ length: rounds + 1 }, (_, round) => taskOf(way, round)));
  const world = await openWorld({
    entries: tasks.flatMap((attempt) => [
      {
        attempt,
        from: 1,
        to: steps,
        calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'step {step}\n' } }],
      },
      { attempt, from: steps + 1, text: 'All is written.' },
    ]),
  });
  try {
    const repository = makeRepository(world);
    const stepMs: Record<Way, number[]> = { one: [], kept: [], many: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of wayNames) {
        process.stderr.write(`round ${round} of ${rounds}: ${titles[way]}\n`);
        const took = await measure(world, repository, way, round);
        if (round > 0) stepMs[way].push(...took); // the first one warms up
      }
    }
    report(stepMs);
  } finally {
    await world.close();
  }
}

function makeRepository({ dataDir }: BenchWorld): string {
  const folder = join(dataDir, 'repository');
  mkdirSync(folder);
  for (let i = 0; i < 100; i += 1)
    writeFileSync(join(folder, `file-${i}.txt`), `what file ${i} has to say\n`.repeat(50));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'files');
  return folder;
}

async function measure(world: BenchWorld, repository: string, way: Way, round: number): Promise<number[]> {
  const { host, hosts } = ways[way];
  const worker: Child = await world.startWorker('local', { files: host === undefined ? {} : { host } });
  const contract = { ...putContract, tools: ['write_file'], workspace: { git: repository, ref: 'main', setup: [] } };
  const change = { hasWorkspace: true, ...(hosts && { hosts }) };
  const ref = await beginAttempt(world.ledger, world.client, taskOf(way, round), 'local', contract, change);
  await endOf(world.client, ref);
  await worker.stop();
  return gaps(await stepStamps(world.admin, ref));
}

function report(stepMs: Record<Way, readonly number[]>): void {
  printReport(
    {
      bench: 'hosts',
      tables: [
        {
          title: 'A step that changes a file, ms',
          head: ['', 'steps', 'median', 'p90'],
          rows: wayNames.map((way) => [
            titles[way],
            stepMs[way].length,
            median(stepMs[way]),
            quantile(stepMs[way], 0.9),
          ]),
        },
      ],
      targets: [],
      data: stepMs,
    },
    options.json,
  );
}

runBench(main);
