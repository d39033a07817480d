import { join } from 'node:path';
import { historyCost } from '../../bench/lib/history-meter';
import {
  isFailure,
  type LongAttempt,
  longContract,
  longItems,
  longRevision,
  longTools,
  longTranscript,
} from '../../bench/lib/long-attempt';
import { noWorkspaces } from '../../bench/lib/no-workspaces';
import { protectedInRequest } from '../../bench/lib/protected-in-request';
import { ReceivedRequests } from '../../bench/lib/received-requests';
import { createFileStore } from '../../src/artifacts/file-store';
import { readProjection } from '../../src/domain/context/projection';
import { renderProjection } from '../../src/domain/context/render-projection';
import { createLedger } from '../../src/ledger/ledger';
import type { AttemptRef } from '../../src/protocol/ids';
import { createRegistry } from '../../src/tools/registry';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';

/** The same as `npm run bench -- long`, with fewer calls and a smaller context. */
const long: LongAttempt = { calls: 240, resultChars: 1_200 };
const contextTokens = 12_000;
/** Issue 5's figure, bytes of history a step. */
const historyBytesMax = 6 * 1024;
const plenty = 1_000_000_000;

let world: AttemptWorld;
let ref: AttemptRef;
let dataDir = '';
const received = new ReceivedRequests();
beforeAll(async () => {
  world = await attemptWorld({
    transcript: longTranscript(long),
    tools: longTools(long, true),
    model: { contextTokens },
    onRequest: received.note,
    workspaces: (folder) => {
      dataDir = folder;
      return noWorkspaces;
    },
    policy: testPolicy(({ tool }) =>
      tool === 'burn_page'
        ? { kind: 'deny', rule: 'no-burning', reason: 'Pages are kept.' }
        : { kind: 'allow', rule: 'all' },
    ),
  });
  await world.startWorker();
  const limits = {
    maxSameToolErrors: plenty,
    maxToolCalls: plenty,
    maxTokens: plenty,
    maxCostMicroUsd: plenty,
    maxRuntimeMs: plenty,
  };
  ref = await world.start({ task: 'long', contract: longContract, limits });
  await until(async () => {
    const [row] = await rowsOf<{ step: number }>(world.pool, ref, 'select step from attempts where key = $1');
    return (row?.step ?? 0) >= longRevision.afterStep;
  }, 'the plan is made');
  await world.send(ref, { kind: 'say', body: { text: longRevision.text, revise: true, by: 'ana' } }, 'revision');
  expect(await world.stopped(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
}, 120_000);
afterAll(() => world.close());

interface ProjectionRow {
  readonly upto_step: number;
  readonly made_by: string;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly body: { readonly text: string };
}
const projections = () =>
  rowsOf<ProjectionRow>(
    world.pool,
    ref,
    'select upto_step, made_by, tokens_before, tokens_after, body from projections where attempt = $1 order by ordinal',
  );

test('R13.2 results that pass the model’s context many times over are worked through, step by step', async () => {
  const [read] = await rowsOf<{ tokens: number }>(
    world.pool,
    ref,
    'select sum(tokens)::int as tokens from observations where attempt = $1',
  );
  expect(read?.tokens).toBeGreaterThan(4 * contextTokens);
  expect(received.count.step).toBe(long.calls + 1);
  const made = await projections();
  expect(made.length).toBeGreaterThan(5);
  expect(new Set(made.map((row) => row.made_by))).toEqual(new Set(['summary']));
  for (const { tokens_before, tokens_after } of made) expect(tokens_after).toBeLessThanOrEqual(tokens_before * 0.8);
  expect(await brokenInvariants(world.pool)).toEqual([]);
});

test('R13.2 no request that the model server received was over its context, with the answer that it asked for', () => {
  expect(received.largest.step).toBeGreaterThan(contextTokens / 3);
  expect(received.largest.step).toBeLessThanOrEqual(contextTokens);
  expect(received.largest.summary).toBeGreaterThan(0);
  expect(received.largest.summary).toBeLessThanOrEqual(contextTokens);
});

test('R13.2 the goal and every protected item are in the last request, or are named there as to be recalled', async () => {
  const text = received.newest.join('\n\n');
  expect(text).toContain(longContract.goal);
  expect(text).toContain('Change no page of the register.');
  expect(text).toContain('p1: Write down where the order stands');

  const [last] = (await projections()).slice(-1);
  if (!last) throw new Error('No projection was made.');
  const projection = readProjection(JSON.parse(last.body.text));
  expect(received.newest).toContain(renderProjection(projection));
  // What should be there follows from the record and from the transcript, whatever the projection says of itself.
  const deps = {
    ledger: createLedger(world.pool),
    artifacts: createFileStore(join(dataDir, 'objects')),
    tools: createRegistry(longTools(long, true)),
    workspaces: noWorkspaces,
  };
  const kept = await protectedInRequest(deps, ref, received.newest);
  expect(kept.missing).toEqual([]);
  expect(kept.ids).toEqual(expect.arrayContaining([...longItems(long, last.upto_step)]));
  expect(kept.kinds).toEqual(['goal', 'revision', 'constraint', 'fact', 'promise', 'failed', 'decision', 'pointer']);
  // A request without the words of an item is seen to lack it.
  const lacking = async (words: string) => {
    const texts = received.newest.map((one) => one.replaceAll(words, ''));
    return (await protectedInRequest(deps, ref, texts)).missing;
  };
  for (const [words, id] of [
    [longContract.goal, 'goal'],
    [longRevision.text, 'revision/0'],
    ['Change no page of the register.', 'constraint/0'],
    ['send_mail', 'constraint/1'],
    ['p1: Write down', 'promise/p1'],
    ['took effect', 'effect/'],
    ['read_shelf failed', 'failed/'],
    ['burn_page was refused', 'decision/'],
    ['Steps 1 to 50', 'pointer/s1-s50'],
  ] as const)
    expect(await lacking(words)).toContainEqual(expect.stringContaining(id));
  const hidden = Array.from({ length: last.upto_step }, (_, index) => index + 1);
  const failed = hidden.filter(isFailure);
  expect(text).toContain(
    `read_shelf failed ${failed.length} times: SHELF_LOCKED: The shelf is locked. [s${failed.at(-1)}.a0]`,
  );
  expect(text).toMatch(/\[s1-s50\]|recall \{"pointer":"steps"\}/);
  for (const { pointer } of projection.left) expect(text).toContain(`recall {"pointer":"${pointer}"}`);
});

test('R12.4 the history stays flat', async () => {
  const { bytes } = await historyCost(world.client, ref);
  expect(bytes / (long.calls + 1)).toBeLessThanOrEqual(historyBytesMax);
});

test('R13.5 between two compactions each request begins with the one before it', async () => {
  const [compacted] = await rowsOf<{ times: number }>(
    world.pool,
    ref,
    `select count(*)::int as times from events where attempt = $1 and type = 'context_compacted'`,
  );
  // The revision changes what stands first.
  expect(received.brokenPrefixes).toBeLessThanOrEqual((compacted?.times ?? 0) + 1);
});
