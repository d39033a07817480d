/**
 * From a person's approval until the action that waited for it runs: the message's way through the inbox and a signal, the
 * second decision of `act`, and the claim.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertMessage } from '../src/ledger/inbox';
import { type AttemptRef, actionId, workflowId } from '../src/protocol/ids';
import { wakeAttempt } from '../src/temporal/wake';
import { beginAttempt, endOf } from './lib/attempts';
import type { Lane } from './lib/lane';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median } from './lib/stats';
import { putTranscript } from './lib/transcript';
import { type BenchWorld, openWorld } from './lib/world';

/** The figure. */
const resumedMaxMs = 500;
const pollMs = 5;
/** A person answers when the wait has been written down, and not in the instant in which it begins, ms. */
const settledMs = 60;
/** Past this nothing will come any more. */
const giveUpMs = 60_000;

/** As the command line sends it, stored first; and typed by hand into a signal. */
const ways = ['stored', 'typed'] as const;
type Way = (typeof ways)[number];

const options = readOptions('From an approval until the action that waited for it runs.', {
  approvals: { value: 20, about: 'approvals in each lane by each way' },
});
const { approvals } = options.numbers;

interface Place {
  readonly name: string;
  readonly resumedMs: readonly number[];
}
const taskOf = (lane: Lane) => `approved-${lane}`;
/** Steps take the ways in turns; the first of each warms up. */
const steps = ways.length * (approvals + 1);
const wayOf = (step: number): Way => ways[step % ways.length] ?? 'stored';

async function main(): Promise<void> {
  const world = await openWorld(putTranscript(options.lanes.map((lane) => ({ task: taskOf(lane), steps }))));
  try {
    const places: Place[] = [];
    for (const lane of options.lanes) places.push(...(await measure(world, lane)));
    report(places);
  } finally {
    await world.close();
  }
}

async function measure(world: BenchWorld, lane: Lane): Promise<Place[]> {
  const toolLog = join(world.dataDir, `tool-${lane}.log`);
  const worker = await world.startWorker(lane, { toolLog, asks: true });
  const ref = await beginAttempt(world.ledger, world.client, taskOf(lane), lane);
  const approvedAt: number[] = [];
  for (let step = 1; step <= steps; step += 1) {
    await asked(world, ref, step);
    await sleep(settledMs);
    approvedAt.push(Date.now());
    await approve(world, ref, step);
  }
  await endOf(world.client, ref);
  await worker.stop();
  const ranAt = readFileSync(toolLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): number => JSON.parse(line).at);
  if (ranAt.length !== steps) throw new Error(`the tool ran ${ranAt.length} times for ${steps} approvals`);
  return ways.map((way) => ({
    name: `${lane}, ${way}`,
    resumedMs: ranAt
      .map((at, index) => at - (approvedAt[index] ?? Number.NaN))
      .filter((_ms, index) => index >= ways.length && wayOf(index + 1) === way),
  }));
}

async function asked({ admin }: BenchWorld, ref: AttemptRef, step: number): Promise<void> {
  for (const until = performance.now() + giveUpMs; performance.now() < until; await sleep(pollMs)) {
    const { rows } = await admin.query(
      `select 1 from holdfast.approvals p join holdfast.attempts a on a.key = p.attempt
       where p.attempt = $1 and p.step = $2 and p.state = 'open' and a.state = 'WAITING_FOR_APPROVAL'`,
      [ref.key, step],
    );
    if (rows.length > 0) return;
  }
  throw new Error(`${ref.id} did not ask in step ${step} within ${giveUpMs} ms`);
}

async function approve({ ledger, client }: BenchWorld, ref: AttemptRef, step: number): Promise<void> {
  const body = { actionId: actionId(ref.id, step, 0), by: 'ana' };
  if (wayOf(step) === 'typed') {
    await client.workflow.getHandle(workflowId(ref.tenant, ref.id)).signal('approve', body);
    return;
  }
  const id = randomUUID();
  await insertMessage(ledger, ref, { id, kind: 'approve', body });
  await wakeAttempt(client, ref, 'approve', id);
}

function report(places: readonly Place[]): void {
  printReport(
    {
      bench: 'approval',
      tables: [
        {
          title: 'From the approval until the action runs, ms',
          head: ['', 'approvals', 'median', 'worst'],
          rows: places.map(({ name, resumedMs }) => [
            name,
            resumedMs.length,
            median(resumedMs),
            Math.max(...resumedMs),
          ]),
        },
      ],
      targets: places.map(({ name, resumedMs }) => ({
        name: `${name}: worst`,
        value: Math.max(...resumedMs),
        atMost: resumedMaxMs,
        unit: 'ms',
      })),
      data: places,
    },
    options.json,
  );
}

runBench(main);
