import type { CallAnswers } from '../../src/protocol/calls';
import { signal } from './support/decide';
import type { Script } from './support/fake-ledger';
import { action } from './support/inputs';
import { inTurn, Story } from './support/story';

type Act = CallAnswers['act'];
const reverse = action(0, { tool: 'reverse_refund', quick: true });
const compensation = { action: reverse, effect: { key: 'create_refund/1042', generation: 1 } };
const of = (script: Script) => Story.of(script, { compensation, models: [] });

test('E9 R4.8 a compensation does its one action and completes, and asks no model', async () => {
  const story = await of({ act: () => ({ kind: 'observed', ok: true }) });
  expect(story.moves).toEqual(['1 act → observed', '2 record end → ended']);
  expect(story.argsOf('act')).toEqual([{ step: 1, index: 0, hash: 'hash0', try: 1 }]);
  expect(story.ledger.path).toEqual(['CREATED', 'EXECUTING_TOOL', 'DECIDING', 'VERIFYING', 'CANDIDATE_VERIFIED']);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test.each<[string, Act]>([
  ['is refused by the other side', { kind: 'observed', ok: false }],
  ['is denied', { kind: 'denied', code: 'POLICY_DENIED' }],
  ['gives no answer', { kind: 'gave_up', code: 'ACTIVITY_FAILED' }],
  ['cannot be made', { kind: 'failed', failure: { class: 'unrecoverable', code: 'NO_CREDENTIALS' } }],
])('R4.8 a compensation that %s has failed', async (_what, answer) => {
  const story = await of({ act: () => answer });
  expect(story.result).toEqual({ state: 'FAILED', reason: 'failed' });
  expect(story.moves.at(-1)).toBe('2 record end → ended');
});

test('E9 R5.3 a compensation waits for an approval like any action', async () => {
  const story = await of({
    act: inTurn<Act>({ kind: 'needs_approval', binding: 'b', expiresAt: 9_000_000 }, { kind: 'observed', ok: true }),
  });
  expect(story.state.kind).toBe('WAITING_FOR_APPROVAL');
  await story.next(signal('approve', { actionId: 'task/1/s1.a0', by: 'ana' }));
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R4.8 a compensation of which nobody can tell is reconciled, and suspended and resumed, like any action', async () => {
  const story = await of({
    act: inTurn<Act>({ kind: 'unknown' }, { kind: 'observed', ok: true }),
    probe: () => ({ kind: 'probed', next: 'ask' }),
  });
  await story.next(signal('suspend', { by: 'ana' }));
  await story.next(signal('resume', { by: 'ana' }));
  expect(story.state).toMatchObject({ kind: 'RECONCILING', ask: true });
  await story.next(
    signal('reconcile', { actionId: 'task/1/s1.a0', outcome: 'not_committed', by: 'ana', evidence: 'Looked.' }),
  );
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});
