import { closeLost } from '../../src/activities/close-lost';
import { createGiveUp } from '../../src/activities/give-up';
import type { ProbeResult } from '../../src/activities/ports';
import { insertMessage } from '../../src/ledger/inbox';
import { actionId } from '../../src/protocol/ids';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { agePast, effectRows, payloads } from '../support/effect-rows';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, rowsOf, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

const longPastMs = 60_000;
let gate: Gate | undefined;
let lost: boolean;
let words: string;
let sends: number;
let found: ProbeResult | 'throws';
let probes: number;

let world: ActivityWorld;
beforeAll(async () => {
  const run = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
    sends += 1;
    await gate?.pass(signal);
    if (lost) throw new Error(words);
    return ok('Done.');
  };
  const probe = () => {
    probes += 1;
    if (found === 'throws') throw new Error('no answer');
    return found;
  };
  const write = { target: (args: never) => `order:${(args as { order: string }).order}` };
  const tools = (['unsafe', 'probed', 'deduplicated'] as const).map((effect) =>
    tool({ name: effect, effect, run, probe, write }),
  );
  const asks = (name: string) =>
    ['a', 'b', 'c', 'd', 'e', 'g', 'h'].map((task) => [
      `${name}-${task}`,
      { 1: { calls: [{ tool: name, args: { order: `${name}-${task}` } }] } },
    ]);
  const prepared = tool({
    name: 'prepared',
    effect: 'unsafe',
    run,
    write: { ...write, prepare: async (_args, { signal }) => gate?.pass(signal) },
  });
  const two = { 1: { calls: ['f1', 'f2'].map((order) => ({ tool: 'unsafe', args: { order } })) } };
  const attempts = { ...Object.fromEntries([...tools, prepared].flatMap(({ name }) => asks(name))), two };
  world = await activityWorld({ attempts }, [...tools, prepared]);
});
beforeEach(() => {
  gate = undefined;
  lost = false;
  words = 'connection lost';
  sends = 0;
  found = { kind: 'not_found' };
  probes = 0;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  const [action] = await attempt.actions();
  if (!action) throw new Error('An action is needed.');
  return { attempt, action, id: actionId(attempt.ref.id, 1, 0) };
}
/** An attempt with an effect that nobody answered for. */
async function unknown(task: string) {
  const begun = await begin(task);
  lost = true;
  const { answer } = await begun.attempt.act(begun.action);
  expect(answer.kind).toMatch(/unknown|failed/);
  lost = false;
  return begun;
}
const cancel = (attempt: AttemptDriver, id = 'stop') =>
  insertMessage(world.pool, attempt.ref, { id, kind: 'cancel', body: { by: 'ana' } });
const reconcile = (attempt: AttemptDriver, id: string, outcome: 'committed' | 'not_committed') =>
  insertMessage(world.pool, attempt.ref, {
    id: `word-${outcome}`,
    kind: 'reconcile',
    body: { actionId: id, outcome, by: 'ana', evidence: 'Looked.' },
  });
/** The workflow's next call, which takes the cancel. */
const takeCancel = async (attempt: AttemptDriver) =>
  expect((await attempt.record({ at: 'flush' })).answer).toEqual({ kind: 'cancel' });

test('R11.2 an effect that was committed before the cancel came is no news of the cancel', async () => {
  const { attempt, action } = await begin('deduplicated-a');
  await attempt.act(action);
  await cancel(attempt);
  expect((await attempt.settle()).answer).toEqual({ kind: 'ended', state: 'CANCELLED', reason: 'cancelled' });
  expect(await payloads(world.pool, attempt.ref, 'cancel_settled')).toMatchObject([{ committed: [] }]);
});

test('R11.2 an effect that won the race is told with its time: sent before the cancel, committed after', async () => {
  const { attempt, action, id } = await begin('deduplicated-b');
  gate = new Gate();
  const abort = new AbortController();
  const acting = attempt.act(action, { signal: abort.signal });
  await gate.reached(1);
  await cancel(attempt);
  abort.abort(new Error('cancelled'));
  gate.open();
  expect((await acting).answer).toEqual({ kind: 'observed', ok: true });
  await takeCancel(attempt);

  expect((await attempt.settle()).answer).toEqual({
    kind: 'ended',
    state: 'CANCELLED',
    reason: 'cancelled_effect_committed',
  });

  const [settled] = await payloads(world.pool, attempt.ref, 'cancel_settled');
  const [row] = await rowsOf<{ committed_at: Date; at: Date }>(
    world.pool,
    attempt.ref,
    `select committed_at, i.at from effects e join inbox i on i.attempt = e.attempt where e.attempt = $1`,
  );
  expect(settled).toEqual({
    requestedAt: row?.at.toISOString(),
    committed: [
      {
        action: id,
        effect: `default/${id}/g1`,
        at: row?.committed_at.toISOString(),
        sentAt: expect.stringMatching(/Z$/),
        by: 'send',
      },
    ],
  });
});

test('M8 an attempt does not end while an effect is unknown: a person is asked, and nothing is sent again', async () => {
  const { attempt, id } = await unknown('unsafe-a');
  await cancel(attempt);
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: true });
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: true });
  await reconcile(attempt, id, 'committed');

  const settled = await attempt.settle({ wakes: ['word-committed'] });

  expect(settled.named).toMatchObject([{ as: 'taken', kind: 'reconcile' }]);
  expect(settled.answer).toMatchObject({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
  expect([sends, probes]).toEqual([1, 0]);
});

test('M4 what is said to an attempt that is being cancelled is refused at once, and keeps nobody waiting', async () => {
  const { attempt } = await unknown('unsafe-g');
  await cancel(attempt);
  await insertMessage(world.pool, attempt.ref, { id: 'word', kind: 'say', body: { text: 'Wait!' } });

  const { answer, named } = await attempt.settle();

  expect(answer).toEqual({ kind: 'open', ask: true });
  expect(named).toContainEqual(expect.objectContaining({ id: 'word', as: 'rejected' }));
});

test('M8 what a person says took no effect makes the cancel a plain one', async () => {
  const { attempt, id } = await unknown('deduplicated-c');
  await agePast(world.pool, attempt.ref, longPastMs);
  await cancel(attempt);
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: true });
  await reconcile(attempt, id, 'not_committed');
  expect((await attempt.settle()).answer).toMatchObject({ reason: 'cancelled' });
  expect(sends).toBe(1);
});

test('R4.7 a cancel asks the other side once a call, and ends when it knows', async () => {
  const { attempt, id } = await unknown('probed-a');
  await cancel(attempt);
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: false });
  found = { kind: 'committed', output: 'Found.', downstreamId: 'r-7' };

  expect((await attempt.settle()).answer).toMatchObject({ reason: 'cancelled_effect_committed' });

  expect([sends, probes]).toEqual([1, 2]);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'probe' }]);
  expect(await payloads(world.pool, attempt.ref, 'effect_probed')).toMatchObject([
    { action: id, found: 'not_found' },
    { action: id, found: 'committed' },
  ]);
});

test('E6 on a cancel, what can take effect no more took none: it is settled, not sent again', async () => {
  const { attempt } = await unknown('probed-b');
  await cancel(attempt);
  found = { kind: 'not_committed_final' };
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: false }); // it may still be under way
  await agePast(world.pool, attempt.ref, longPastMs);

  expect((await attempt.settle()).answer).toMatchObject({ state: 'CANCELLED', reason: 'cancelled' });

  expect(sends).toBe(1);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'NOT_COMMITTED', settled_by: 'probe' }]);
});

test('R4.7 a look that fails has found out nothing', async () => {
  const { attempt } = await unknown('probed-c');
  await cancel(attempt);
  found = 'throws';
  expect((await attempt.settle()).answer).toEqual({ kind: 'open', ask: false });
  found = { kind: 'committed', output: 'Found.' };
  expect((await attempt.settle()).answer).toMatchObject({ state: 'CANCELLED' });
});

test('R4.5 what a dead worker left SENT is unknown to the cancel, until its late answer settles it', async () => {
  const { attempt, action } = await begin('unsafe-b');
  gate = new Gate();
  const acting = attempt.act(action);
  await gate.reached(1);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);
  await cancel(attempt);

  const other = attempt.on(await world.worker());
  expect((await other.actRepeated(action)).answer).toEqual({ kind: 'unknown' });
  expect((await other.settle()).answer).toEqual({ kind: 'open', ask: true });
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'UNKNOWN' }]);

  gate.open();
  expect((await acting).answer).toEqual({ kind: 'unknown' });
  expect((await other.settle()).answer).toMatchObject({ reason: 'cancelled_effect_committed' });
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'late' }]);
});

test('M8 an end that would leave an effect open is a bug, and is refused as one', async () => {
  const { attempt, id } = await unknown('unsafe-c');
  await expect(attempt.record({ at: 'end', state: 'FAILED', reason: 'failed', candidate: 0 })).rejects.toThrow(
    `cannot end: what became of ${id} is not known`,
  );
  expect(await eventTypes(world.pool, attempt.ref)).not.toContain('ended');
});

test('M2 a call that nobody answered and that had sent something is given up as unknown, without an observation', async () => {
  const { attempt, action, id } = await begin('unsafe-d');
  gate = new Gate();
  const abort = new AbortController();
  const acting = attempt.act(action, { signal: abort.signal });
  acting.catch(() => undefined);
  await gate.reached(1);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);

  const call = attempt.actCall(action, attempt.n);
  const givenUp = await createGiveUp(await world.worker())({ call, kind: 'act', code: 'TIMEOUT_HEARTBEAT' });

  expect(givenUp.answer).toEqual({ kind: 'gave_up', code: 'TIMEOUT_HEARTBEAT', unknown: true });
  expect(await observations(world.pool, attempt.ref)).toEqual([]);
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'unknown' }]);
  expect(await payloads(world.pool, attempt.ref, 'effect_unknown')).toMatchObject([
    { action: id, code: 'TIMEOUT_HEARTBEAT' },
  ]);
  gate.open();
  await acting.catch(() => undefined);
});

test('R4.5 why nobody can tell is kept in the words of the tool, at most 500 characters of them', async () => {
  lost = true;
  words = `the bank hung up\n${'x'.repeat(1_000)}`;
  const { attempt, action, id } = await begin('unsafe-h');
  expect((await attempt.act(action)).answer).toEqual({ kind: 'unknown' });

  const told = await rowsOf(
    world.pool,
    attempt.ref,
    `select payload, visibility from events where attempt = $1 and type = 'effect_unknown'`,
  );
  const detail = words.slice(0, 500);
  const payload = { action: id, effect: `default/${id}/g1`, code: 'SEND_FAILED', detail };
  expect(told).toEqual([{ payload, visibility: 'operator' }]);
});

test('R11.3 an attempt whose workflow is gone is not closed while an effect is open, and a word on it is taken', async () => {
  const { attempt, id } = await unknown('unsafe-e');
  const deps = await world.worker();
  const next = attempt.n + 1;
  expect(await closeLost(deps, attempt.ref, next, 'TERMINATED')).toBe(false);
  expect(await closeLost(deps, attempt.ref, next, 'TERMINATED')).toBe(false);
  await cancel(attempt);
  await reconcile(attempt, id, 'committed');

  expect(await closeLost(deps, attempt.ref, next, 'NOT_FOUND')).toBe(true);

  expect(await rowsOf(world.pool, attempt.ref, 'select state, reason from attempts where key = $1')).toEqual([
    { state: 'CANCELLED', reason: 'cancelled_effect_committed' },
  ]);
  expect(
    await rowsOf(world.pool, attempt.ref, 'select id, disposition from inbox where attempt = $1 order by id'),
  ).toEqual([
    { id: 'stop', disposition: 'taken' },
    { id: 'word-committed', disposition: 'taken' },
  ]);
});

test('R11.3 a word on one of two open effects of a lost workflow counts, and the other still keeps it open', async () => {
  const deps = await world.worker();
  const attempt = new AttemptDriver(deps, await world.attempt({ task: 'two' }));
  const actions = await attempt.actions();
  lost = true;
  for (const action of actions) await attempt.act(action);
  await reconcile(attempt, actionId(attempt.ref.id, 1, 0), 'committed');

  expect(await closeLost(deps, attempt.ref, attempt.n + 1, 'TERMINATED')).toBe(false);
  expect((await effectRows(world.pool, attempt.ref)).map(({ phase }) => phase)).toEqual(['COMMITTED', 'UNKNOWN']);
  // That word has its number, so the next look is the next move.
  const other = {
    actionId: actionId(attempt.ref.id, 1, 1),
    outcome: 'committed',
    by: 'ana',
    evidence: 'Looked.',
  } as const;
  await insertMessage(world.pool, attempt.ref, { id: 'other', kind: 'reconcile', body: other });
  expect(await closeLost(deps, attempt.ref, attempt.n + 2, 'TERMINATED')).toBe(true);
});

test('E1 a claim that was never sent gives its key back at the end', async () => {
  const { attempt, action } = await begin('prepared-a');
  gate = new Gate();
  const abort = new AbortController();
  const acting = attempt.act(action, { signal: abort.signal });
  acting.catch(() => undefined);
  await gate.reached(1);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);
  const call = attempt.actCall(action, attempt.n);
  const other = attempt.on(await world.worker());
  const givenUp = await createGiveUp(other.worker)({ call, kind: 'act', code: 'TIMEOUT_HEARTBEAT' });

  expect(givenUp.answer).toEqual({ kind: 'gave_up', code: 'TIMEOUT_HEARTBEAT' });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([
    { code: 'TOOL_LOST', text: expect.stringMatching(/nothing of it was sent/) },
  ]);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'NOT_COMMITTED', settled_by: 'runtime' }]);
  abort.abort(new Error('over'));
  await acting.catch(() => undefined);

  const ending = await begin('prepared-b');
  const stuck = new AbortController();
  const preparing = ending.attempt.act(ending.action, { signal: stuck.signal });
  preparing.catch(() => undefined);
  await gate.reached(2);
  stuck.abort(new Error('over'));
  await expect(preparing).rejects.toThrow('over');
  await cancel(ending.attempt);
  expect((await ending.attempt.actRepeated(ending.action)).answer).toEqual({ kind: 'interrupted' });
  expect((await ending.attempt.settle()).answer).toMatchObject({ state: 'CANCELLED', reason: 'cancelled' });
  expect(await effectRows(world.pool, ending.attempt.ref)).toMatchObject([
    { phase: 'NOT_COMMITTED', settled_by: 'runtime' },
  ]);
  expect(sends).toBe(0);
});
