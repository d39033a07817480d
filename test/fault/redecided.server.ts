import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef } from '../../src/protocol/ids';
import { attemptHistories } from '../../src/temporal/histories';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { modelTries, rowsOf, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

const steps = 50;
/** Whether a signal comes in the instant of a decision is chance; in one attempt it mostly happens several times. */
const roundsMax = 5;
const entries = [
  { from: 1, to: steps, calls: [{ tool: 'put', args: { n: '{step}' } }] },
  { from: steps + 1, text: 'Done.' },
];
/** `temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED` and its neighbour for timed-out tasks. */
const workflowTaskFailed = 9;
const workflowTaskTimedOut = 8;
/** `WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND`: the server refused a decision, because something had come meanwhile. */
const unhandledCommand = 1;

let world: AttemptWorld;
const runs: string[] = [];
beforeAll(async () => {
  const put = tool({
    name: 'put',
    effect: 'idempotent',
    run: (_args, { idempotencyKey }) => {
      runs.push(idempotencyKey);
      return ok('Put.');
    },
  });
  world = await attemptWorld({ transcript: { entries }, tools: [put] });
  await world.startWorker();
});
afterAll(() => world.close());
beforeEach(() => runs.splice(0));
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

function start(stepsPerRun: number): Promise<AttemptRef> {
  return world.start({ snapshot: { stepsPerRun }, limits: { maxTokens: 10_000_000, maxToolCalls: 1_000 } });
}

/** Sends messages, typed and stored ones in turn, as fast as the server takes them, until told to stop. */
async function talk(ref: AttemptRef, stop: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let said = 0; !stop.aborted; said += 1) {
    const messageId = randomUUID();
    try {
      const typed = said % 2 === 0;
      if (typed) await world.handle(ref).signal('say', { text: `Typed ${said}.`, messageId });
      // The last ones may come after the end, and are then stored nowhere.
      if (typed || (await world.send(ref, { kind: 'say', body: { text: `Stored ${said}.` } }, messageId)))
        ids.push(messageId);
    } catch (error) {
      if (!stop.aborted && !/completed|not found/i.test(String(error))) throw error;
    }
    await sleep(7);
  }
  return ids;
}

/** Decisions that were lost, by what lost them. */
async function lostTasks(ref: AttemptRef): Promise<{ refused: number; timedOut: number; other: unknown[] }> {
  const events = (await attemptHistories(world.client, ref)).flatMap(({ history }) => history.events ?? []);
  const failed = events.filter(({ eventType }) => eventType === workflowTaskFailed);
  const cause = (event: (typeof failed)[number]) => event.workflowTaskFailedEventAttributes?.cause;
  return {
    refused: failed.filter((event) => cause(event) === unhandledCommand).length,
    timedOut: events.filter(({ eventType }) => eventType === workflowTaskTimedOut).length,
    other: failed
      .filter((event) => cause(event) !== unhandledCommand)
      .map((event) => event.workflowTaskFailedEventAttributes),
  };
}
const asked = (ref: AttemptRef) =>
  world.model
    .requests()
    .filter((request) => request.attempt === ref.id)
    .map(({ step }) => step);

/** All in order, and nothing again that the ledger does not call lost: on a slow machine a lease can end in the middle. */
async function expectOnce<T>(ref: AttemptRef, done: readonly T[], wanted: readonly T[]): Promise<void> {
  expect([...new Set(done)]).toEqual(wanted);
  expect(done.length - wanted.length).toBeLessThanOrEqual(await lostTries(ref));
}
const lostTries = async (ref: AttemptRef) =>
  [...(await modelTries(world.pool, ref)), ...(await toolTries(world.pool, ref))].filter(
    ({ outcome }) => outcome === 'lost',
  ).length;

/** One attempt under a hail of messages; returns how many of its decisions the server refused. */
async function throughMessages(): Promise<number> {
  runs.splice(0);
  // Each new run is a decision that the server refuses where a signal has come meanwhile.
  const ref = await start(3);
  const stop = new AbortController();
  const talking = talk(ref, stop.signal);
  await until(() => runs.length >= steps - 5, 'most of the steps');
  stop.abort();
  const said = await talking;

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  await expectOnce(
    ref,
    asked(ref),
    Array.from({ length: steps + 1 }, (_, index) => index + 1),
  );
  await expectOnce(
    ref,
    runs,
    Array.from({ length: steps }, (_, index) => `default/${ref.id}/s${index + 1}.a0/g1`),
  );
  const inbox = await rowsOf<{ id: string }>(world.pool, ref, 'select id from inbox where attempt = $1');
  expect(new Set(inbox.map(({ id }) => id))).toEqual(new Set(said));
  const lost = await lostTasks(ref);
  expect(lost.other).toEqual([]);
  return lost.refused;
}

test('R4.10, M3 decisions that signals make the server refuse follow the first path, message by message', async () => {
  let refused = 0;
  for (let round = 0; round < roundsMax && refused === 0; round += 1) refused += await throughMessages();
  expect(refused).toBeGreaterThan(0);
});

test('R4.10, M5 a cancel in a burst of local calls ends the attempt once, and what was done before it stands', async () => {
  const ref = await world.start({
    snapshot: { stepsPerRun: 3 },
    limits: { maxTokens: 10_000_000, maxToolCalls: 1_000 },
  });
  const stop = new AbortController();
  const talking = talk(ref, stop.signal);
  await until(() => runs.length >= 15, 'fifteen steps');
  await world.handle(ref).signal('cancel', { by: 'ana' });
  const result = await world.result(ref);
  stop.abort();
  await talking;

  expect(result).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  expect((await lostTasks(ref)).other).toEqual([]);
  const done = await rowsOf<{ step: number }>(
    world.pool,
    ref,
    'select step from observations where attempt = $1 and ok order by step',
  );
  await expectOnce(
    ref,
    runs,
    done.map(({ step }) => `default/${ref.id}/s${step}.a0/g1`),
  );
  await expectOnce(ref, asked(ref), [...new Set(asked(ref))]);
});
