/** Attempts side by side on one worker: how many steps they make together, and what that costs. */
import { beginAttempt, endOf } from './lib/attempts';
import type { Lane } from './lib/lane';
import { type LoopCost, loopCost, processNames } from './lib/loop-cost';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { stepStamps } from './lib/step-times';
import { putTranscript } from './lib/transcript';
import { type BenchWorld, openWorld } from './lib/world';

const warmUpSteps = 60;

const options = readOptions('Attempts side by side on one worker.', {
  attempts: { value: 20, about: 'attempts at once' },
  steps: { value: 50, about: 'steps of each' },
});
const { attempts, steps } = options.numbers;
const tasksOf = (lane: Lane) => Array.from({ length: attempts }, (_, number) => `parallel-${lane}-${number}`);

async function main(): Promise<void> {
  const tasks = options.lanes.flatMap((lane) => [
    { task: `warm-${lane}`, steps: warmUpSteps },
    ...tasksOf(lane).map((task) => ({ task, steps })),
  ]);
  const world = await openWorld(putTranscript(tasks));
  try {
    const found: { lane: Lane; stepsPerSecond: number; cpu: LoopCost['cpu'] }[] = [];
    for (const lane of options.lanes) found.push(await measure(world, lane));
    printReport(
      {
        bench: 'parallel',
        tables: [
          {
            title: `${attempts} attempts side by side`,
            head: ['', 'steps/s', ...processNames.map((name) => `CPU ms a step, ${name}`)],
            rows: found.map(({ lane, stepsPerSecond, cpu }) => [
              lane,
              stepsPerSecond,
              ...processNames.map((name) => cpu[name]),
            ]),
          },
        ],
        targets: [],
        data: found,
      },
      options.json,
    );
  } finally {
    await world.close();
  }
}

async function measure(world: BenchWorld, lane: Lane) {
  const { ledger, client, admin } = world;
  const worker = await world.startWorker(lane, { profile: options.profile });
  await endOf(client, await beginAttempt(ledger, client, `warm-${lane}`, lane));
  let seconds = Number.NaN;
  const cost = await loopCost(world, worker.pid, async () => {
    const from = performance.now();
    const refs = await Promise.all(tasksOf(lane).map((task) => beginAttempt(ledger, client, task, lane)));
    await Promise.all(refs.map((ref) => endOf(client, ref)));
    seconds = (performance.now() - from) / 1_000;
    return (await Promise.all(refs.map((ref) => stepStamps(admin, ref)))).flat();
  });
  await worker.stop();
  return { lane, stepsPerSecond: cost.steps / seconds, cpu: cost.cpu };
}

runBench(main);
