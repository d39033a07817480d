import { Client as PgClient } from 'pg';
import { historyCost } from '../../bench/lib/history-meter';
import { type Lane, lanes } from '../../bench/lib/lane';
import { readLedger } from '../../bench/lib/ledger-meter';
import { putTool } from '../../bench/lib/put-tool';
import { putTranscript } from '../../bench/lib/transcript';
import { administer } from '../support/administer';
import { attemptWorld } from '../support/attempt-world';

/** The tables of `docs/performance.md` that no busy machine changes: what a step leaves behind, and how often it commits. */

const steps = 210;
/** The last word and the end of an attempt cost about what a step does. */
const counted = steps + 1;
const plenty = 1_000_000_000;

/** Statements that the worker's connections were sent, by the text they begin with. */
function spyOnStatements() {
  const texts: string[] = [];
  const real = PgClient.prototype.query;
  const spy = jest.spyOn(PgClient.prototype, 'query').mockImplementation(function (this: PgClient, ...args: unknown[]) {
    const [query] = args;
    texts.push(typeof query === 'string' ? query : String(Reflect.get(Object(query), 'text')));
    return Reflect.apply(real, this, args);
  });
  return { texts, restore: () => spy.mockRestore() };
}

async function measure(lane: Lane) {
  const quick = lane === 'local';
  const world = await attemptWorld({
    transcript: putTranscript([
      { task: 'warm', steps: 2 },
      { task: 'count', steps },
    ]),
    tools: [putTool(quick)],
    model: { quick },
  });
  try {
    await world.startWorker();
    const run = async (task: string) => {
      const limits = {
        maxTurns: plenty,
        maxToolCalls: plenty,
        maxTokens: plenty,
        maxCostMicroUsd: plenty,
        maxRuntimeMs: plenty,
      };
      const ref = await world.start({ task, contract: { tools: ['put'] }, limits });
      expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
      return ref;
    };
    await run('warm');
    // Without what is dead and a busy machine's vacuum has not given back yet; the ledger's own role may not ask for that.
    const measured = async () => {
      await administer(world.ways.databaseUrl, (client) => client.query('vacuum full'));
      return await readLedger(world.pool);
    };
    const before = await measured();
    const { texts, restore } = spyOnStatements();
    const ref = await run('count').finally(restore);
    const { rowCount: compactions } = await world.pool.query('select from projections where attempt = $1', [ref.key]);
    return {
      history: await historyCost(world.client, ref),
      compactions: compactions ?? 0,
      texts,
      bytes: (await measured()).bytes - before.bytes,
    };
  } finally {
    await world.close();
  }
}

describe.each(lanes)('a step on the %s lane', (lane) => {
  let cost: Awaited<ReturnType<typeof measure>>;
  beforeAll(async () => {
    cost = await measure(lane);
  });

  test('R12.4 a run of the workflow ends about every hundred steps', () => {
    expect(cost.history.runs).toBe(3);
  });

  test('leaves few events and bytes in the history', () => {
    const { events, markers, bytes, runs } = cost.history;
    expect(bytes / counted).toBeLessThanOrEqual(lane === 'local' ? 2_048 : 4_096);
    expect(bytes / counted).toBeGreaterThan(300);
    if (lane === 'regular') expect(events / counted).toBeLessThanOrEqual(14);
    // Two calls a step; beside them only what a run begins and ends with, the breaks of a burst, and on a slow machine three
    // events for each time that the workflow task is renewed. One more event a step would be seventy a run.
    // A compaction is two calls: it is asked for, and it is made.
    else expect(markers).toBe(2 * (counted + cost.compactions));
    if (lane === 'local') expect(events - markers).toBeLessThanOrEqual(runs * 100);
  });

  test('R10.3 puts no payload over 32 KB into a history', () => {
    expect(cost.history.payloadBytesMax).toBeGreaterThan(100);
    expect(cost.history.payloadBytesMax).toBeLessThanOrEqual(32 * 1024);
  });

  test('writes at most 4 KB to the ledger', () => {
    expect(cost.bytes / counted).toBeGreaterThan(1_000);
    expect(cost.bytes / counted).toBeLessThanOrEqual(4_096);
  });

  test('R13.4 a view of so many steps is compacted a few times', () => {
    expect(cost.compactions).toBeGreaterThan(1);
    expect(cost.compactions / counted).toBeLessThan(1 / 30);
  });

  test('commits four times, and reads twice outside of that; a compaction commits three times', () => {
    const starting = (...words: string[]) => cost.texts.filter((text) => words.some((word) => text.startsWith(word)));
    const commits = starting('commit').length - 3 * cost.compactions;
    expect(commits / counted).toBeCloseTo(4, 1);
    const reads = cost.texts.filter(
      (text) => /^\s*select .* from (attempts|actions) a /s.test(text) && !text.includes('sequence'),
    );
    expect(reads.length / counted).toBeLessThanOrEqual(2.1);
  });
});
