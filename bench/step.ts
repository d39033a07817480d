/**
 * What a step costs: ours beside bare loops on the same servers, in turns, so that a busy minute of the machine falls on
 * all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runBareLoop, startBareWorker } from './bare/run-bare';
import type { BareLoop } from './bare/workflows';
import { beginAttempt, endOf } from './lib/attempts';
import { type HistoryCost, historyCost } from './lib/history-meter';
import type { Lane } from './lib/lane';
import { readLedger } from './lib/ledger-meter';
import { type LoopCost, loopCost } from './lib/loop-cost';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { type LaneCost, stepReport } from './lib/step-report';
import { stepStamps } from './lib/step-times';
import { putTranscript } from './lib/transcript';
import { type BenchWorld, openWorld } from './lib/world';

/** Long enough that the renewals of the lease, which are no part of a step, can be counted. */
const idleMs = 3_000;
const warmUpSteps = 60;

const options = readOptions('What a step costs, beside bare loops.', {
  steps: { value: 200, about: 'steps of each loop' },
  rounds: { value: 3, about: 'times that all loops take turns' },
});
const { steps, rounds } = options.numbers;

/** The bare loops of a lane. What the issue compares with comes first. */
const bareLoops: Readonly<Record<Lane, readonly Pick<BareLoop, 'model' | 'commits'>[]>> = {
  regular: [
    { model: 'empty', commits: 0 },
    { model: 'fetch', commits: 0 },
    { model: 'fetch', commits: 2 },
  ],
  local: [
    { model: 'empty', commits: 2 },
    { model: 'fetch', commits: 2 },
  ],
};

const bareName = ({ model, commits }: Pick<BareLoop, 'model' | 'commits'>) =>
  `bare, ${2 * commits} commits, ${model === 'empty' ? 'no model' : 'model by fetch'}`;

async function main(): Promise<void> {
  const tasks = options.lanes.flatMap((lane) => [
    { task: `warm-${lane}`, steps: warmUpSteps },
    ...Array.from({ length: rounds }, (_, round) => ({ task: `step-${lane}-${round}`, steps })),
  ]);
  const asked = options.lanes.flatMap((lane) =>
    Array.from({ length: rounds + 1 }, (_, round) =>
      bareLoops[lane].map((_loop, index) => loopName(lane, round, index)),
    ),
  );
  const world = await openWorld(putTranscript([...tasks, ...asked.flat().map((task) => ({ task, steps }))]));
  try {
    const costs: LaneCost[] = [];
    for (const lane of options.lanes) costs.push(await measureLane(world, lane));
    printReport(stepReport(costs), options.json);
  } finally {
    await world.close();
  }
}

const loopName = (lane: Lane, round: number, index: number) => `bare-${lane}-${round}-${index}`;

async function measureLane(world: BenchWorld, lane: Lane): Promise<LaneCost> {
  const worker = await world.startWorker(lane, { profile: options.profile });
  const bareWorker = await startBareWorker(world);
  const loops = bareLoops[lane].map((loop) => ({ name: bareName(loop), loop, costs: [] as LoopCost[] }));
  const ours: LoopCost[] = [];
  const histories: HistoryCost[] = [];

  await runAttempt(world, lane, `warm-${lane}`);
  for (const [index, { loop }] of loops.entries()) {
    await runBareLoop(world.client, { ...loop, loop: loopName(lane, rounds, index), steps: warmUpSteps, lane });
  }
  const idle = await idleWrites(world);
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`${lane}: round ${round + 1} of ${rounds}\n`);
    ours.push(
      await loopCost(world, worker.pid, async () => {
        const done = await runAttempt(world, lane, `step-${lane}-${round}`);
        histories.push(done.history);
        return done.stamps;
      }),
    );
    for (const [index, { loop, costs }] of loops.entries()) {
      const run = () => runBareLoop(world.client, { ...loop, loop: loopName(lane, round, index), steps, lane });
      costs.push(await loopCost(world, bareWorker.pid, run));
    }
  }
  await Promise.all([worker.stop(), bareWorker.stop()]);
  return { lane, ours, histories, bare: loops, idleWritesPerMs: idle };
}

async function runAttempt({ ledger, client, admin }: BenchWorld, lane: Lane, task: string) {
  const ref = await beginAttempt(ledger, client, task, lane);
  await endOf(client, ref);
  return { stamps: await stepStamps(admin, ref), history: await historyCost(client, ref) };
}

/** Writing transactions of a worker that has nothing to do, for each ms. */
async function idleWrites({ admin }: BenchWorld): Promise<number> {
  const before = await readLedger(admin);
  await sleep(idleMs);
  const after = await readLedger(admin);
  return (after.writes - before.writes) / (after.atMs - before.atMs);
}

runBench(main);
