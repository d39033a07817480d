/**
 * A proposal of several reads, side by side and one after another, in either lane: how much longer than its longest read it
 * takes. From the model's answer to the last result, by the ledger's clock.
 */
import type { Pool } from 'pg';
import type { AttemptRef } from '../src/protocol/ids';
import { beginAttempt, endOf, putContract } from './lib/attempts';
import { type HistoryCost, historyCost } from './lib/history-meter';
import type { Lane } from './lib/lane';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median } from './lib/stats';
import { type BenchWorld, openWorld } from './lib/world';

/** The figure, for eight reads of a second each. */
const sideBySideMaxMs = 2_000;

const options = readOptions('A proposal of several reads, side by side and one after another.', {
  reads: { value: 8, about: 'reads of a proposal' },
  ms: { value: 1_000, about: 'what a slow read takes, ms' },
  quick: { value: 10, about: 'what a quick read takes, ms' },
  rounds: { value: 5, about: 'proposals of each kind' },
});
const { reads, ms, quick, rounds } = options.numbers;

const manners = { 'one after another': 1, 'side by side': reads } as const;
type Manner = keyof typeof manners;
interface Found {
  readonly lane: Lane;
  readonly readMs: number;
  readonly manner: Manner;
  readonly tookMs: number;
  readonly history: HistoryCost;
}
const taskOf = (lane: Lane, readMs: number, manner: Manner) =>
  `reads-${lane}-${readMs}-${manner === 'side by side' ? 'beside' : 'after'}`;

async function main(): Promise<void> {
  const cases = options.lanes.flatMap((lane) =>
    [ms, quick].flatMap((readMs) => Object.keys(manners).map((manner) => ({ lane, readMs, manner: manner as Manner }))),
  );
  const world = await openWorld({
    entries: cases.flatMap(({ lane, readMs, manner }) => [
      {
        attempt: taskOf(lane, readMs, manner),
        from: 1,
        to: rounds,
        calls: [{ tool: 'wait', repeat: reads, args: { ms: readMs, n: '{step}.{index}' } }],
      },
      { attempt: taskOf(lane, readMs, manner), from: rounds + 1, text: 'All is read.' },
    ]),
  });
  try {
    const found: Found[] = [];
    for (const lane of options.lanes) {
      const worker = await world.startWorker(lane, { waits: true, profile: options.profile });
      for (const one of cases.filter((other) => other.lane === lane)) found.push(await measure(world, one));
      await worker.stop();
    }
    report(found);
  } finally {
    await world.close();
  }
}

async function measure(
  { ledger, client, admin }: BenchWorld,
  { lane, readMs, manner }: Omit<Found, 'tookMs' | 'history'>,
): Promise<Found> {
  const task = taskOf(lane, readMs, manner);
  const start = { flow: 2, parallelActionsMax: manners[manner] };
  const ref = await beginAttempt(ledger, client, task, lane, { ...putContract, tools: ['wait'] }, start);
  await endOf(client, ref);
  return { lane, readMs, manner, tookMs: median(await spans(admin, ref)), history: await historyCost(client, ref) };
}

/** From each proposal to its last result, ms. */
async function spans(admin: Pool, ref: AttemptRef): Promise<number[]> {
  const { rows } = await admin.query<{ ms: number }>(
    `select extract(epoch from max(f.at) - min(m.at))::float8 * 1000 as ms from events m
       join events f on f.attempt = m.attempt and f.step = m.step and f.type = 'action_finished'
     where m.attempt = $1 and m.type = 'model_answered' group by m.step`,
    [ref.key],
  );
  return rows.map((row) => row.ms);
}

function report(found: readonly Found[]): void {
  const beside = found.filter(({ manner }) => manner === 'side by side');
  const tookAfter = ({ lane, readMs }: Found) =>
    found.find((other) => other.lane === lane && other.readMs === readMs && other.manner !== 'side by side')?.tookMs ??
    Number.NaN;
  printReport(
    {
      bench: 'reads',
      tables: [
        {
          title: `${reads} reads of one proposal`,
          head: [
            '',
            'a read, ms',
            'one after another, ms',
            'side by side, ms',
            'of the longest',
            'history bytes a read',
          ],
          rows: beside.map((one) => [
            one.lane,
            one.readMs,
            tookAfter(one),
            one.tookMs,
            one.tookMs / one.readMs,
            one.history.bytes / (reads * rounds),
          ]),
        },
      ],
      targets: beside
        .filter(({ lane, readMs }) => lane === 'regular' && readMs === ms)
        .map(({ tookMs }) => ({
          name: `${reads} reads of ${ms} ms`,
          value: tookMs,
          atMost: sideBySideMaxMs,
          unit: 'ms',
        })),
      data: found,
    },
    options.json,
  );
}

runBench(main);
