import type { CallAnswers } from '../../src/protocol/calls';
import {
  quickActTimeoutMs,
  reconcileAskMaxMs,
  reconcileAskMinMs,
  reconcileLooksMin,
  reconcilePauseMinMs,
  waitJitter,
} from '../../src/workflows/limits';
import { looksBeforeAsking } from '../../src/workflows/run/looks-before-asking';
import { signal } from './support/decide';
import type { Script } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { inTurn, Story } from './support/story';

type Act = CallAnswers['act'];
type Probe = CallAnswers['probe'];
const observed: Act = { kind: 'observed', ok: true };
const unknown: Act = { kind: 'unknown' };
const next = (what: 'act' | 'wait' | 'ask'): Probe => ({ kind: 'probed', next: what });
/** Short enough to be asked about as seldom as any. */
const write = action(0, { quick: true, timeoutMs: 1_000 });
const one: Pick<Script, 'think'> = {
  think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, write) : proposal({ kind: 'text' })),
};
const rounds = (story: Story) => story.argsOf('probe').map((args) => (args as { round: number }).round);
const settled = signal('reconcile', {
  actionId: 'task/1/s1.a0',
  outcome: 'committed',
  by: 'ana',
  evidence: 'Seen in the shop.',
});

test('R4.7 an effect that nobody can tell of is looked for with backoff, and the action is decided again', async () => {
  const story = await Story.of({
    ...one,
    act: inTurn<Act>(unknown, observed),
    probe: inTurn(next('wait'), next('wait'), next('act')),
  });
  expect(story.moves).toEqual(['1 think → proposal', '2 act → unknown', '3 probe → probed']);
  const waits = [story.sleepMs ?? 0, (await story.fire()).sleepMs ?? 0];
  for (const [i, ms] of waits.entries()) {
    expect(ms).toBeGreaterThanOrEqual(reconcilePauseMinMs * 2 ** i);
    expect(ms).toBeLessThanOrEqual(reconcilePauseMinMs * 2 ** i * (1 + waitJitter));
  }
  await story.fire();
  expect(story.moves.slice(3)).toEqual([
    '4 probe → probed',
    '5 probe → probed',
    '6 act → observed',
    '7 think → proposal',
    '8 record end → ended',
  ]);
  expect(rounds(story)).toEqual([1, 2, 3]);
  expect(story.argsOf('act')).toMatchObject([{ try: 1 }, { try: 2 }]);
});

test('R4.7 once the looks are used up a person is asked, whose word lets the action be decided again', async () => {
  const story = await Story.of({ ...one, act: inTurn<Act>(unknown, observed), probe: () => next('wait') });
  while (rounds(story).length < reconcileLooksMin) await story.fire();
  expect(story.state).toMatchObject({ kind: 'RECONCILING', ask: true });
  expect(story.moves.at(-1)).toBe('9 record wait → none');

  await story.next(settled);
  expect(story.moves.slice(9, 11)).toEqual(['10 record wait → go', '11 act → observed']);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R4.6 sending and looking in turn comes to an end: looks are counted over the life of the action', async () => {
  const story = await Story.of({ ...one, act: () => unknown, probe: () => next('act') });
  while (story.state.kind !== 'RECONCILING' || !story.state.ask) await story.fire();
  expect(rounds(story)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(story.argsOf('act')).toHaveLength(7);
});

test('E6 there are looks after the moment from which "it did not happen" is believed', () => {
  expect(looksBeforeAsking({ timeoutMs: 1_000 })).toBe(reconcileLooksMin); // waits of 1, 2, 4, 8, 16 s
  expect(looksBeforeAsking({ timeoutMs: quickActTimeoutMs })).toBe(7); // and of 30 s
  expect(looksBeforeAsking({})).toBe(looksBeforeAsking({ timeoutMs: quickActTimeoutMs }));
  expect(looksBeforeAsking({ timeoutMs: 120_000 })).toBe(10);
});

test.each<[string, Script]>([
  ['that only a person can tell', { act: () => unknown, probe: () => next('ask') }],
  ['that a look gave up on', { act: () => unknown, probe: () => ({ kind: 'gave_up', code: 'ACTIVITY_FAILED' }) }],
  [
    'of a call that gave up after it had sent',
    { act: () => ({ kind: 'gave_up', code: 'LOST', unknown: true }), probe: () => next('ask') },
  ],
])('R4.7 an effect %s is put before a person at once', async (_what, script) => {
  const story = await Story.of({ ...one, ...script });
  expect(story.state).toMatchObject({ kind: 'RECONCILING', ask: true, round: 1 });
  expect(story.moves.at(-1)).toBe('4 record wait → none');
});

test('E4 while a person is asked the ledger is read again for a late answer, ever more rarely', async () => {
  let open = true;
  const story = await Story.of({
    ...one,
    act: inTurn<Act>(unknown, observed),
    probe: () => next('ask'),
    record: ({ at }) => ({ kind: at === 'wait' && !open ? 'go' : 'none' }),
  });
  const waits = [story.sleepMs ?? 0];
  for (let look = 2; look <= 10; look += 1) waits.push((await story.fire()).sleepMs ?? 0);
  expect(waits[0]).toBeGreaterThanOrEqual(reconcileAskMinMs);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(reconcileAskMaxMs);
  expect(Math.max(...waits)).toBeLessThanOrEqual(reconcileAskMaxMs * (1 + waitJitter));

  open = false;
  await story.fire();
  expect(story.moves.at(-3)).toContain('act → observed');
});

test("R4.7 a person's word ends the wait between two looks, and what is said to the model does not", async () => {
  const story = await Story.of({
    ...one,
    act: inTurn<Act>(unknown, observed),
    probe: inTurn(next('wait'), next('act')),
  });
  await story.next(signal('say', { text: 'Hurry!' }));
  expect(rounds(story)).toEqual([1]);
  await story.next(settled);
  expect(rounds(story)).toEqual([1, 2]);
  expect(story.ledger.inbox.get('signal/2')?.as).toBe('taken');
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R12.4 a run is cut between two looks, and where a person is asked', async () => {
  const looking = await Story.of(
    { ...one, act: inTurn<Act>(unknown, observed), probe: inTurn(next('wait'), next('ask')) },
    { stepsPerRun: 1 },
  );
  expect(looking.runs[1]?.carried?.paused).toMatchObject({
    state: 'RECONCILING',
    round: 1,
    ask: false,
    batch: { tries: 1, round: 1 },
  });
  await looking.fire();
  expect(looking.state).toMatchObject({ kind: 'RECONCILING', round: 2, ask: true });
  await looking.next(settled);
  expect(looking.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test.each([
  [{ by: 'ana' }, 'cancel', '5 settle → ended'],
  [{ by: 'ana' }, 'suspend', '5 record pause → none'],
])('M5 a wait between two looks ends early: %j by %s', async (body, name, last) => {
  const story = await Story.of({ ...one, act: () => unknown, probe: () => next('wait') });
  await story.next(signal(name, body));
  expect(story.moves.slice(3)).toEqual(['4 probe → interrupted', last]);
});
