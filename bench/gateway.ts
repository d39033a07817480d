/**
 * Readers of one busy attempt's event stream, each of which breaks off again and again: each gets every event once and in order, and
 * how long after its time an event is there.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeToken } from '../src/ledger/tokens';
import { beginAttempt, endOf } from './lib/attempts';
import { startChild } from './lib/child';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median, quantile } from './lib/stats';
import { type ReadEvents, readEvents } from './lib/stream-reader';
import { putTranscript } from './lib/transcript';
import { openWorld } from './lib/world';
import type { BenchGatewaySetup } from './worker/gateway';

/** The figure. */
const delayMaxMs = 250;
const hourMs = 60 * 60 * 1_000;

const options = readOptions('Readers of one attempt by the gateway, each cut off again and again.', {
  readers: { value: 200, about: 'readers' },
  cuts: { value: 20, about: 'how often each is cut off' },
  steps: { value: 150, about: 'steps of the attempt' },
});
const { readers, cuts, steps } = options.numbers;

async function main(): Promise<void> {
  const [lane = 'local'] = options.lanes.slice(-1);
  const task = 'read';
  const world = await openWorld(putTranscript([{ task, steps }]));
  try {
    await world.startWorker(lane);
    const { databaseUrl, address, namespace, dataDir } = world;
    const setup: BenchGatewaySetup = { databaseUrl, temporal: { address, namespace, connection: {} }, dataDir };
    const logFile = join(tmpdir(), `holdfast-bench-gateway-${process.pid}.log`);
    const gateway = await startChild(join(__dirname, 'worker/gateway.js'), setup, { logFile });
    try {
      const expiresAt = new Date(Date.now() + hourMs);
      const who = { tenant: 'default', principal: 'reader', madeBy: 'bench', roles: ['user'] as const, expiresAt };
      const { token } = await makeToken(world.ledger, who);
      const ref = await beginAttempt(world.ledger, world.client, task, lane);
      const url = `${String(gateway.hello)}/v1/attempts/${ref.id}/events`;
      const reading = Array.from({ length: readers }, () => readEvents({ url, token, cuts, random: Math.random }));
      const read = await Promise.all(reading);
      await endOf(world.client, ref);
      report(read);
    } finally {
      await gateway.stop();
    }
  } finally {
    await world.close();
  }
}

function report(read: readonly ReadEvents[]): void {
  const delays = read.flatMap(({ delaysMs }) => delaysMs);
  const [longest = 0] = read.map(({ sequences }) => sequences.length).sort((a, b) => b - a);
  // A user does not see every event, so what each must have is what the first has, each later than the one before.
  const wrong = read.filter(({ sequences }) => !sameInOrder(sequences, read[0]?.sequences ?? []));
  printReport(
    {
      bench: 'gateway',
      tables: [
        {
          title: 'From the time of an event until a reader has it, ms',
          head: ['readers', 'cut off', 'events each', 'median', 'p99', 'worst'],
          rows: [
            [
              read.length,
              read.reduce((sum, one) => sum + one.cuts, 0),
              longest,
              median(delays),
              quantile(delays, 0.99),
              delays.reduce((most, delay) => Math.max(most, delay), 0),
            ],
          ],
        },
      ],
      targets: [
        { name: 'p99', value: quantile(delays, 0.99), atMost: delayMaxMs, unit: 'ms' },
        { name: 'readers with an event lost, twice or out of order', value: wrong.length, atMost: 0, unit: '' },
      ],
      data: { readers: read.length, events: longest, p50: median(delays), p99: quantile(delays, 0.99) },
    },
    options.json,
  );
}

const sameInOrder = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length &&
  one.every((sequence, index) => sequence === other[index]) &&
  one.every((sequence, index) => index === 0 || sequence > (one[index - 1] ?? 0));

runBench(main);
