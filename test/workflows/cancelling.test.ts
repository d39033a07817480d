import type { CallAnswers } from '../../src/protocol/calls';
import { cancelAskMinMs, cancelPauseMaxMs, cancelPauseMinMs, waitJitter } from '../../src/workflows/limits';
import { signal } from './support/decide';
import { proposal } from './support/inputs';
import { inTurn, Story } from './support/story';

type Settle = CallAnswers['settle'];
const open = (ask: boolean): Settle => ({ kind: 'open', ask });
const ended: Settle = { kind: 'ended', state: 'CANCELLED', reason: 'cancelled_effect_committed' };
const cancel = signal('cancel', { by: 'ana' });
const asking = { think: () => proposal({ kind: 'ask' }) };
const settles = (story: Story) => story.argsOf('settle').length;

test('M8 R11.3 a cancel ends nothing while an effect is open: it is settled again, ever more rarely', async () => {
  const answers = [...Array.from({ length: 8 }, () => open(false)), ended];
  const story = await Story.of({ ...asking, settle: inTurn(...answers) }, { searchAttributes: true });
  await story.next(cancel);
  expect(story.state).toEqual({ kind: 'CANCELLING', round: 1, ask: false });
  const waits = [story.sleepMs ?? 0];
  while (settles(story) < 8) waits.push((await story.fire()).sleepMs ?? 0);
  for (const [i, ms] of waits.entries()) {
    const plainMs = Math.min(cancelPauseMinMs * 2 ** i, cancelPauseMaxMs);
    expect(ms).toBeGreaterThanOrEqual(plainMs);
    expect(ms).toBeLessThanOrEqual(plainMs * (1 + waitJitter));
  }
  await story.fire();
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
});

test('R2.3 a cancel that cannot end yet is found by its search attribute, written once', async () => {
  const settle = inTurn(open(false), open(false), ended);
  const story = await Story.of({ think: () => ({ kind: 'interrupted' }), settle }, { searchAttributes: true });
  expect(story.latest.published).toEqual(['CANCELLING']);
  await story.fire();
  expect(story.latest.published).toEqual(['CANCELLING']);
  await story.fire();
  expect(story.latest.published).toEqual(['CANCELLING', 'CANCELLED']);
});

test('R11.2 a person who settles the open effect ends the wait, and what is said to the model does not', async () => {
  const story = await Story.of({ ...asking, settle: inTurn(open(true), ended) });
  await story.next(cancel);
  expect(story.sleepMs).toBeGreaterThanOrEqual(cancelAskMinMs);
  await story.next(signal('say', { text: 'Well?' }));
  expect(settles(story)).toBe(1);
  await story.next(
    signal('reconcile', { actionId: 'task/1/s1.a0', outcome: 'committed', by: 'ana', evidence: 'Seen.' }),
  );
  expect(settles(story)).toBe(2);
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
});

test('M4 R11.2 long words that nobody takes keep no person from settling the open effect', async () => {
  const story = await Story.of({ ...asking, settle: inTurn(open(true), open(true), ended) });
  await story.next(cancel);
  const say = () => signal('say', { text: 'x'.repeat(16_000) });
  await story.next(say(), say(), say());
  await story.next(
    signal('reconcile', { actionId: 'task/1/s1.a0', outcome: 'committed', by: 'ana', evidence: 'Seen.' }),
  );
  expect(settles(story)).toBe(2);
  expect(story.ledger.inbox.get('signal/5')?.takenBy).toBe(5); // and not only a settle later
});

test('R12.4 a cancel that takes long continues as new, and goes on looking as rarely', async () => {
  const settle = inTurn(open(true), open(true), ended);
  const story = await Story.of({ think: () => ({ kind: 'interrupted' }), settle }, { stepsPerRun: 1 });
  expect(story.runs.at(-1)?.carried?.paused).toEqual({ state: 'CANCELLING', round: 1, ask: true });
  expect(story.state).toEqual({ kind: 'CANCELLING', round: 2, ask: true });
  expect(story.sleepMs).toBeGreaterThanOrEqual(2 * cancelAskMinMs);
  await story.fire();
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
});
