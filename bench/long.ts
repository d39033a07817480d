/**
 * An attempt of many calls whose results are many times its model's context: that it completes, that every request fits, what
 * a step leaves in the history, and whether goal and protected items are in the last request (R13.2).
 */
import { startScriptedModel } from '../src/models/scripted/scripted-model';
import { beginAttempt, endOf } from './lib/attempts';
import { historyCost } from './lib/history-meter';
import { isFailure, isWrite, type LongAttempt, longContract, longTranscript } from './lib/long-attempt';
import { readOptions } from './lib/options';
import { ReceivedRequests } from './lib/received-requests';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { gaps, median, quantile } from './lib/stats';
import { stepStamps } from './lib/step-times';
import { openWorld } from './lib/world';

/** Issue 5's figure, bytes. */
const historyBytesMax = 6 * 1024;
/** Of the results, by the estimate that the ledger keeps of each. */
const charsPerToken = 4;

const options = readOptions('One attempt whose results pass its model’s context many times over.', {
  calls: { value: 1_000, about: 'calls of the attempt' },
  tokens: { value: 200_000, about: 'tokens of their results in all' },
  context: { value: 32_000, about: 'tokens that the model holds' },
});
const { calls, tokens, context } = options.numbers;

async function main(): Promise<void> {
  const reads = Array.from({ length: calls }, (_, index) => index + 1).filter(
    (step) => !isWrite(step) && !isFailure(step),
  );
  const long: LongAttempt = { calls, resultChars: Math.ceil((tokens / reads.length) * charsPerToken) };
  const received = new ReceivedRequests();
  const model = await startScriptedModel({ transcript: longTranscript(long), onRequest: received.note });
  const world = await openWorld({});
  try {
    const lane = options.lanes[0] ?? 'local';
    await world.startWorker(lane, { modelUrl: model.url, long: { ...long, contextTokens: context } });
    const ref = await beginAttempt(world.ledger, world.client, 'long', lane, longContract);
    await endOf(world.client, ref);

    const { rows } = await world.admin.query<{ made: number; upto: number; read: number }>(
      `select (select count(*)::int from projections where attempt = $1) as made,
         (select max(upto_step) from projections where attempt = $1) as upto,
         (select sum(tokens)::int from observations where attempt = $1) as read`,
      [ref.key],
    );
    const { made = 0, upto = 0, read = 0 } = rows[0] ?? {};
    const { bytes, runs } = await historyCost(world.client, ref);
    const times = gaps(await stepStamps(world.admin, ref));
    const text = received.newest.join('\n\n');
    const lastFailure = Array.from({ length: upto }, (_, index) => upto - index).find(isFailure);
    const expected = [longContract.goal, ...longContract.constraints, `[s${lastFailure}.a0]`];
    const missing = expected.filter((one) => !text.includes(one)).length;
    const historyBytes = bytes / (calls + 1);
    printReport(
      {
        bench: 'long',
        tables: [
          {
            title: 'A long attempt',
            head: ['', 'value'],
            rows: [
              ['calls', calls],
              ['tokens of results', read],
              ['tokens of context', context],
              ['compactions', made],
              ['largest request for a step, tokens', received.largest.step],
              ['largest request for a summary, tokens', received.largest.summary],
              ['requests that did not begin as the one before', received.brokenPrefixes],
              ['median step, ms', median(times)],
              ['slowest of a hundred steps, ms', quantile(times, 0.99)],
              ['runs of the workflow', runs],
            ],
          },
        ],
        targets: [
          { name: 'bytes of history a step', value: historyBytes, atMost: historyBytesMax, unit: '' },
          { name: 'largest request', value: received.largest.step, atMost: context, unit: 'tokens' },
          { name: 'largest request for a summary', value: received.largest.summary, atMost: context, unit: 'tokens' },
          { name: 'goal and protected items missing in the last request', value: missing, atMost: 0, unit: '' },
        ],
        data: { long, made, upto, read, historyBytes, received: received.largest },
      },
      options.json,
    );
  } finally {
    await world.close();
    await model.stop();
  }
}

runBench(main);
