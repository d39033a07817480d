/** Whether a step costs at its thousandth time what it cost at its tenth: one attempt, two windows of its steps. */
import { beginAttempt, endOf, stepsPerRun } from './lib/attempts';
import { historyCost } from './lib/history-meter';
import type { Lane } from './lib/lane';
import { ledgerSizes } from './lib/ledger-sizes';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { gaps, median } from './lib/stats';
import { stepStamps } from './lib/step-times';
import { putTranscript } from './lib/transcript';
import { type BenchWorld, openWorld } from './lib/world';

/** Growth that is still flat, the figure. */
const growthMax = 1.3;
/** A run ends about every hundred steps. */
const stepsPerRunMax = 110;
const warmUpSteps = 150;

const options = readOptions('One long attempt: time and bytes of a step early and late.', {
  steps: { value: 1_000, about: 'steps of the attempt' },
  from: { value: 5, about: 'first step of the early window' },
  window: { value: 20, about: 'steps of a window' },
});
const { steps, from, window } = options.numbers;

interface Flat {
  readonly lane: Lane;
  readonly early: Cost;
  readonly late: Cost;
  readonly runs: number;
}
interface Cost {
  readonly ms: number;
  /** Of the step's own rows, without indexes. */
  readonly ledgerBytes: number;
  /** Of the first run, and of the last whole one. */
  readonly historyBytes: number;
}

async function main(): Promise<void> {
  const tasks = options.lanes.flatMap((lane) => [
    { task: `warm-${lane}`, steps: warmUpSteps },
    { task: `flat-${lane}`, steps },
  ]);
  const world = await openWorld(putTranscript(tasks));
  try {
    const found: Flat[] = [];
    for (const lane of options.lanes) found.push(await measure(world, lane));
    const rows = found.flatMap(({ lane, early, late }) =>
      (['ms', 'ledgerBytes', 'historyBytes'] as const).map((what) => [
        `${lane}: ${what}`,
        early[what],
        late[what],
        late[what] / early[what],
      ]),
    );
    printReport(
      {
        bench: 'flat',
        tables: [
          {
            title: 'A step',
            head: ['', `steps ${from}–${from + window}`, `steps ${steps - window}–${steps}`, 'growth'],
            rows,
          },
          {
            title: 'Runs of the workflow',
            head: ['', 'runs', 'steps in a run'],
            rows: found.map(({ lane, runs }) => [lane, runs, steps / runs]),
          },
        ],
        targets: found.flatMap(({ lane, early, late, runs }) => [
          ...(['ms', 'ledgerBytes', 'historyBytes'] as const).map((what) => ({
            name: `${lane}: growth of ${what}`,
            value: late[what] / early[what],
            atMost: growthMax,
            unit: '×',
          })),
          { name: `${lane}: steps in a run`, value: steps / runs, atMost: stepsPerRunMax, unit: '' },
        ]),
        data: found,
      },
      options.json,
    );
  } finally {
    await world.close();
  }
}

async function measure(world: BenchWorld, lane: Lane): Promise<Flat> {
  const { ledger, client, admin } = world;
  const worker = await world.startWorker(lane, { profile: options.profile });
  // A process of its own age for both windows: code that is new to it is slow at first, whatever the step.
  await endOf(client, await beginAttempt(ledger, client, `warm-${lane}`, lane));
  const ref = await beginAttempt(ledger, client, `flat-${lane}`, lane);
  await endOf(client, ref);
  const times = gaps(await stepStamps(admin, ref));
  const sizes = await ledgerSizes(admin, ref);
  const history = await historyCost(client, ref);
  await worker.stop();
  const cost = (first: number) => ({
    ms: median(times.slice(first - 1, first - 1 + window)),
    ledgerBytes: median(sizes.slice(first - 1, first - 1 + window)),
  });
  // The last run may hold no more than the last word.
  const [firstRun = Number.NaN] = history.runBytes;
  const lastWhole = history.runBytes.at(-2) ?? firstRun;
  return {
    lane,
    early: { ...cost(from), historyBytes: firstRun / stepsPerRun },
    late: { ...cost(steps - window), historyBytes: lastWhole / stepsPerRun },
    runs: history.runs,
  };
}

runBench(main);
