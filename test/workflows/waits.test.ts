import type { AttemptInput } from '../../src/protocol/attempt';
import type { CallAnswers } from '../../src/protocol/calls';
import { effectWaitMaxMs, effectWaitMinMs, expiredWaitMaxMs, waitJitter } from '../../src/workflows/limits';
import { activeMs } from '../../src/workflows/run/run';
import { decide, signal } from './support/decide';
import type { Script } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { inTurn, Story } from './support/story';

type Act = CallAnswers['act'];
const quick = (index: number) => action(index, { quick: true });
const observed: Act = { kind: 'observed', ok: true };
const denied: Act = { kind: 'denied', code: 'APPROVAL_DENIED' };
const binding = 'b'.repeat(64);
/** The engine's clock starts at 1,000,000 and a task takes a millisecond. */
const asks = (inMs: number): Act => ({ kind: 'needs_approval', binding, expiresAt: 1_000_000 + inMs });
const busy: Act = { kind: 'target_busy', effect: 'default/create_refund/1042/g1' };

/** A proposal of `count` actions, and a final answer once they are done. */
const batch = (count: number): Pick<Script, 'think'> => ({
  think: ({ step }) =>
    step === 1
      ? proposal({ kind: 'actions' }, ...Array.from({ length: count }, (_, index) => quick(index)))
      : proposal({ kind: 'text' }),
});
const approve = signal('approve', { actionId: 'task/1/s1.a0', by: 'ana' });
const indexes = (story: Story) => story.argsOf('act').map((args) => (args as { index: number }).index);

test('R5.3 an approval resumes the action that it was asked for, which is authorised again under the same try', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  expect(story.state).toMatchObject({ kind: 'WAITING_FOR_APPROVAL', binding, expiresAt: 1_060_000 });
  expect(story.moves).toEqual(['1 think → proposal', '2 act → needs_approval', '3 record wait → none']);

  await story.next(approve);
  expect(story.moves.slice(3)).toEqual([
    '4 record wait → go',
    '5 act → observed',
    '6 think → proposal',
    '7 record end → ended',
  ]);
  expect(story.argsOf('act')).toEqual([
    { step: 1, index: 0, hash: 'hash0', try: 1 },
    { step: 1, index: 0, hash: 'hash0', try: 1 },
  ]);
  expect(story.ledger.path.slice(3, 7)).toEqual([
    'DECIDING',
    'EXECUTING_TOOL',
    'WAITING_FOR_APPROVAL',
    'EXECUTING_TOOL',
  ]);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R5.4 while one action waits no later one runs, and a denial lets the batch go on in its order', async () => {
  const story = await Story.of({ ...batch(4), act: inTurn(observed, asks(60_000), denied, denied, observed) });
  expect(indexes(story)).toEqual([0, 1]);
  expect(story.state).toMatchObject({
    kind: 'WAITING_FOR_APPROVAL',
    batch: { actions: [{ index: 1 }, { index: 2 }, { index: 3 }] },
  });

  await story.next(signal('deny', { actionId: 'task/1/s1.a1', by: 'ana' }));
  expect(indexes(story)).toEqual([0, 1, 1, 2, 3]);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R5.3 an answer that fits nothing changes nothing: it is rejected, and the wait goes on', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  await story.next(signal('approve', { actionId: 'task/1/s1.a7', by: 'ana', decisionId: 'wrong' }));
  expect(story.ledger.inbox.get('wrong')).toMatchObject({ as: 'rejected' });
  await story.next(signal('approve', { binding: 'other', by: 'ana' }));
  expect(story.state.kind).toBe('WAITING_FOR_APPROVAL');
  expect(story.moves.slice(3)).toEqual(['4 record wait → none', '5 record wait → none']);
});

test('R5.3 a request that nobody answers expires, by the clock of the workflow and in the ledger', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(1), denied) });
  expect(story.sleepMs).toBe(1);
  await story.fire();
  expect(story.ledger.request?.state).toBe('expired');
  expect(story.moves.slice(3, 5)).toEqual(['4 record wait → go', '5 act → denied']);
});

test('M3 R5.3 an approval that comes in the same task as the expiry is judged by the time, not by what woke first', async () => {
  const late = await Story.of({ ...batch(1), act: inTurn(asks(1), denied) });
  const [timer = 0] = late.latest.open.timers;
  await late.next(approve, { kind: 'fired', seq: timer });
  expect([late.ledger.request?.state, late.ledger.inbox.get('signal/1')?.as]).toEqual(['expired', 'rejected']);

  const inTime = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  const [early = 0] = inTime.latest.open.timers;
  await inTime.next({ kind: 'fired', seq: early }, approve);
  expect([inTime.ledger.request?.state, inTime.ledger.inbox.get('signal/1')?.as]).toEqual(['granted', 'taken']);
  for (const story of [late, inTime]) expect(story.moves[3]).toBe('4 record wait → go');
});

test('M3 a timer that fires too early is followed by the rest of the wait', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  expect(story.sleepMs).toBe(60_000);
  await story.fire();
  expect(story.moves.at(-1)).toBe('4 record wait → none');
  expect(story.sleepMs).toBe(59_999);
});

test('R12.4 an approval that is waited for keeps no run from continuing as new, and is answered in the next one', async () => {
  const story = await Story.of({ ...batch(2), act: inTurn(asks(60_000), observed) }, { stepsPerRun: 1 });
  expect(story.runs).toHaveLength(2);
  expect(story.runs[1]?.carried?.paused).toEqual({
    state: 'WAITING_FOR_APPROVAL',
    batch: { actions: [quick(0), quick(1)], stop: { kind: 'actions' }, tries: 0 },
    binding,
    expiresAt: 1_060_000,
  });
  expect(story.state).toMatchObject({ kind: 'WAITING_FOR_APPROVAL', binding });
  await story.next(approve);
  expect(indexes(story)).toEqual([0, 0, 1]);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R12.2 a request that has expired and cannot be left by this worker is looked at ever more rarely', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(5)), record: () => ({ kind: 'none' }) });
  let ms = 0;
  for (let look = 1; look <= 14; look += 1) ms = (await story.fire()).sleepMs ?? 0;
  expect(story.state.kind).toBe('WAITING_FOR_APPROVAL');
  expect(ms).toBeGreaterThan(expiredWaitMaxMs * (1 - waitJitter));
});

test('E7 an action waits for the effect in its way, ever longer, and is woken by whoever settles it', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn<Act>(busy, observed) });
  expect(story.state).toMatchObject({ kind: 'WAITING_FOR_EFFECT', effect: 'default/create_refund/1042/g1' });
  const waits = [story.sleepMs ?? 0];
  for (let look = 2; look <= 12; look += 1) waits.push((await story.fire()).sleepMs ?? 0);
  for (const [i, ms] of waits.entries()) {
    const plainMs = Math.min(effectWaitMinMs * 2 ** i, effectWaitMaxMs);
    expect(ms).toBeGreaterThanOrEqual(plainMs);
    expect(ms).toBeLessThanOrEqual(plainMs * (1 + waitJitter));
  }

  story.ledger.insert({ id: 'settled', kind: 'effectSettled', body: { effect: 'default/create_refund/1042/g1' } });
  await story.next(signal('effectSettled', { messageId: 'settled' }));
  expect(story.moves.slice(-4)).toEqual([
    '15 record wait → go',
    '16 act → observed',
    '17 think → proposal',
    '18 record end → ended',
  ]);
});

test('R1.3 a try before a wait counts, and one that was not begun does not', async () => {
  const transient: Act = { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY' } };
  const story = await Story.of({ ...batch(1), act: inTurn(transient, asks(60_000), transient, observed) });
  await story.fire(); // the wait before try 2, which needs an approval
  await story.next(approve);
  await story.fire(); // the wait before try 3
  expect(story.argsOf('act').map((args) => (args as { try: number }).try)).toEqual([1, 2, 2, 3]);
});

test('M4 messages that are there from the start of a second decision of a wait reach the answers of the first', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  await story.next(signal('wave', {}));
  await story.next(approve);
  const told = story.moves;

  const again = await decide(story.runs[0] as AttemptInput, story.ledger, [], signal('wave', {}), approve);
  expect(story.moves).toEqual(told);
  expect(again.outcome).toEqual({ result: story.result });
  expect(again.run.mailbox.isEmpty).toBe(true);
});

test('R2.3 an attempt that waits is found by its search attribute', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), busy, observed) }, { searchAttributes: true });
  await story.next(approve);
  await story.next(signal('suspend', { by: 'ana' }));
  expect(story.latest.published).toEqual(['WAITING_FOR_APPROVAL', 'EXECUTING_TOOL', 'WAITING_FOR_EFFECT', 'SUSPENDED']);
});

test('R2.4 the time of a wait is billed to nobody', async () => {
  const story = await Story.of({ ...batch(1), act: inTurn(asks(60_000), observed) });
  const { run } = story.latest;
  run.since -= 50_000;
  expect(activeMs(run)).toBe(0);
});

test.each([
  ['an approval', asks(60_000), 'voided'],
  ['an effect', busy, undefined],
])('R11.1 a cancel ends the wait for %s, and what waits is void', async (_what, answer, request) => {
  const story = await Story.of({ ...batch(2), act: () => answer });
  await story.next(signal('cancel', { by: 'ana' }));
  expect(story.moves.slice(-2)).toEqual(['4 record wait → cancel', '5 settle → ended']);
  expect(story.ledger.request?.state).toBe(request);
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
});
