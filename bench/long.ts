/**
 * An attempt of many calls whose results are many times its model's context: that it completes, that every request fits, what
 * a step leaves in the history, and whether the goal and every protected item of the record are in the last request (R13.2).
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileStore } from '../src/artifacts/file-store';
import { insertMessage } from '../src/ledger/inbox';
import { createLedger } from '../src/ledger/ledger';
import { startScriptedModel } from '../src/models/scripted/scripted-model';
import type { AttemptRef } from '../src/protocol/ids';
import { wakeAttempt } from '../src/temporal/wake';
import { createRegistry } from '../src/tools/registry';
import { beginAttempt, endOf } from './lib/attempts';
import { historyCost } from './lib/history-meter';
import {
  isFailure,
  isRefused,
  isWrite,
  type LongAttempt,
  longContract,
  longItems,
  longRevision,
  longTools,
  longTranscript,
} from './lib/long-attempt';
import { noWorkspaces } from './lib/no-workspaces';
import { readOptions } from './lib/options';
import { protectedInRequest } from './lib/protected-in-request';
import { ReceivedRequests } from './lib/received-requests';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { gaps, median, quantile } from './lib/stats';
import { stepStamps } from './lib/step-times';
import { type BenchWorld, openWorld } from './lib/world';

/** Issue 5's figure, bytes. */
const historyBytesMax = 6 * 1024;
/** Of the results, by the estimate that the ledger keeps of each. */
const charsPerToken = 4;
/** Short against a step, so that the revision comes long before the first write. */
const pollMs = 10;

const options = readOptions('One attempt whose results pass its model’s context many times over.', {
  calls: { value: 1_000, about: 'calls of the attempt' },
  tokens: { value: 200_000, about: 'tokens of their results in all' },
  context: { value: 32_000, about: 'tokens that the model holds' },
});
const { calls, tokens, context } = options.numbers;

async function main(): Promise<void> {
  const reads = Array.from({ length: calls }, (_, index) => index + 1).filter(
    (step) => !isWrite(step) && !isFailure(step) && !isRefused(step),
  );
  const long: LongAttempt = { calls, resultChars: Math.ceil((tokens / reads.length) * charsPerToken) };
  const received = new ReceivedRequests();
  const model = await startScriptedModel({ transcript: longTranscript(long), onRequest: received.note });
  const world = await openWorld({});
  try {
    const lane = options.lanes[0] ?? 'local';
    await world.startWorker(lane, { modelUrl: model.url, long: { ...long, contextTokens: context } });
    const ref = await beginAttempt(world.ledger, world.client, 'long', lane, longContract);
    await revise(world, ref);
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
    const tools = createRegistry(longTools(long, lane === 'local'));
    const artifacts = createFileStore(join(world.dataDir, 'objects'));
    const deps = { ledger: createLedger(world.ledger), artifacts, tools, workspaces: noWorkspaces };
    const kept = await protectedInRequest(deps, ref, received.newest);
    const unknown = longItems(long, upto).filter((id) => !kept.ids.includes(id));
    const missing = [...kept.missing, ...unknown];
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
              ['protected items of the record', kept.ids.length],
              ['their kinds', kept.kinds.join(', ')],
              ['missing in the last request', missing.join(', ') || 'none'],
            ],
          },
        ],
        targets: [
          { name: 'bytes of history a step', value: historyBytes, atMost: historyBytesMax, unit: '' },
          { name: 'largest request', value: received.largest.step, atMost: context, unit: 'tokens' },
          { name: 'largest request for a summary', value: received.largest.summary, atMost: context, unit: 'tokens' },
          { name: 'protected items missing in the last request', value: missing.length, atMost: 0, unit: '' },
        ],
        data: { long, made, upto, read, historyBytes, received: received.largest, kept, missing },
      },
      options.json,
    );
  } finally {
    await world.close();
    await model.stop();
  }
}

/** What the user adds to the goal, once the plan is made. */
async function revise(world: BenchWorld, ref: AttemptRef): Promise<void> {
  const ledger = createLedger(world.ledger);
  while ((await ledger.attempt(ref)).step < longRevision.afterStep) await sleep(pollMs);
  const body = { text: longRevision.text, revise: true as const, by: 'bench' };
  await insertMessage(world.ledger, ref, { id: 'revision', kind: 'say', body });
  await wakeAttempt(world.client, ref, 'say', 'revision');
}

runBench(main);
