import fc from 'fast-check';
import { type FailureClass, failureClasses } from '../../../src/domain/failure/failure';
import {
  isRetried,
  type Reaction,
  reactionTable,
  reactTo,
  retryAfterMaxMs,
} from '../../../src/domain/failure/reactions';

const middle = () => 0.5;
const failure = (kind: FailureClass, retryAfterMs?: number) => ({
  class: kind,
  code: 'ANY',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** What R8 says of each class, after the first try and after the fourth. */
const told: Record<FailureClass, [first: Reaction, fourth: Reaction]> = {
  model_transient: [{ kind: 'retry', afterMs: 1_000 }, { kind: 'next_model' }],
  model_semantic: [{ kind: 'observe' }, { kind: 'observe' }],
  policy_denied: [{ kind: 'observe' }, { kind: 'observe' }],
  tool_transient: [{ kind: 'retry', afterMs: 1_000 }, { kind: 'observe' }],
  tool_argument: [{ kind: 'observe' }, { kind: 'observe' }],
  tool_business: [{ kind: 'observe' }, { kind: 'observe' }],
  state_conflict: [{ kind: 'observe' }, { kind: 'observe' }],
  environment_drift: [{ kind: 'observe' }, { kind: 'observe' }],
  verification_failure: [{ kind: 'observe' }, { kind: 'observe' }],
  budget_exhausted: [
    { kind: 'pause', reason: 'budget_exceeded' },
    { kind: 'pause', reason: 'budget_exceeded' },
  ],
  unknown_effect: [
    { kind: 'pause', reason: 'reconcile_required' },
    { kind: 'pause', reason: 'reconcile_required' },
  ],
  unrecoverable: [{ kind: 'next_model' }, { kind: 'next_model' }],
};

test('R8.1 there are 12 classes, each with one row', () => {
  expect(failureClasses).toHaveLength(12);
  expect(Object.keys(reactionTable).sort()).toEqual([...failureClasses].sort());
});

test.each(failureClasses)('R8.1 %s has its one reaction', (kind) => {
  const [first, fourth] = told[kind];
  expect(reactTo(failure(kind), 1, middle)).toEqual(first);
  expect(reactTo(failure(kind), 4, middle)).toEqual(fourth);
});

test('R8.5 a transient failure is tried again after 1, 2 and 4 s, and then no more', () => {
  const waits = [1, 2, 3].map((tries) => reactTo(failure('tool_transient'), tries, middle));
  expect(waits).toEqual([1_000, 2_000, 4_000].map((afterMs) => ({ kind: 'retry', afterMs })));
  for (const tries of [4, 5, 100]) expect(reactTo(failure('tool_transient'), tries, middle).kind).toBe('observe');
});

test('R8.5 jitter moves a wait by at most a quarter, and does move it', () => {
  const waitOf = (swing: number, tries: number) => {
    const reaction = reactTo(failure('model_transient'), tries, () => swing);
    return reaction.kind === 'retry' ? reaction.afterMs : Number.NaN;
  };
  expect([waitOf(0, 1), waitOf(0, 2), waitOf(0, 3)]).toEqual([750, 1_500, 3_000]);
  expect(waitOf(0.999999, 3)).toBe(5_000);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 3 }),
      (swing, tries) => {
        const baseMs = 1_000 * 2 ** (tries - 1);
        expect(Math.abs(waitOf(swing, tries) - baseMs)).toBeLessThanOrEqual(baseMs / 4);
      },
    ),
  );
});

test('R8.5 Retry-After is never undercut, whatever the jitter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: retryAfterMaxMs }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 3 }),
      (askedMs, swing, tries) => {
        const reaction = reactTo(failure('model_transient', askedMs), tries, () => swing);
        expect(reaction.kind === 'retry' && reaction.afterMs).toBeGreaterThanOrEqual(askedMs);
      },
    ),
  );
});

test('R8.5 a Retry-After beyond the bound is not waited for', () => {
  expect(reactTo(failure('model_transient', retryAfterMaxMs), 1, middle).kind).toBe('retry');
  expect(reactTo(failure('model_transient', retryAfterMaxMs + 1), 1, middle)).toEqual({ kind: 'next_model' });
  expect(reactTo(failure('tool_transient', retryAfterMaxMs + 1), 1, middle)).toEqual({ kind: 'observe' });
});

test('R8.5 a Retry-After changes nothing for a class that is not retried', () => {
  expect(reactTo(failure('unrecoverable', 10), 1, middle)).toEqual({ kind: 'next_model' });
});

test('R8.5 randomness is drawn once for a retry and never otherwise, so a replay draws the same', () => {
  const random = jest.fn(() => 0.5);
  for (const kind of failureClasses) reactTo(failure(kind), 4, random);
  expect(random).not.toHaveBeenCalled();
  reactTo(failure('model_transient'), 1, random);
  expect(random).toHaveBeenCalledTimes(1);
});

test('R8.5 the fourth try is the last one', () => {
  const retried = [1, 2, 3, 4, 5].map((tries) => reactTo(failure('tool_transient'), tries, middle).kind === 'retry');
  expect(retried).toEqual([true, true, true, false, false]);
});

test('R8.5 whether a try follows can be asked without drawing, and is what the reaction says', () => {
  for (const kind of failureClasses) {
    for (const tries of [1, 2, 3, 4, 5]) {
      for (const askedMs of [undefined, 0, 1, retryAfterMaxMs, retryAfterMaxMs + 1]) {
        const failed = failure(kind, askedMs);
        expect(isRetried(failed, tries)).toBe(reactTo(failed, tries, middle).kind === 'retry');
      }
    }
  }
});
