import fc from 'fast-check';
import { decide, type JudgedRule, type Verdict } from '../../../src/domain/policy/decide';
import type { Decision } from '../../../src/domain/policy/policy';

const verdicts: readonly Verdict[] = [{ kind: 'match' }, { kind: 'no_match' }, { kind: 'failed', why: 'x' }];
const kinds = ['allow', 'deny'] as const;
const rule = (id: number, kind: 'allow' | 'deny', verdict: Verdict): JudgedRule => {
  const decision: Decision = kind === 'deny' ? { rule: `r${id}`, kind, reason: 'no' } : { rule: `r${id}`, kind };
  return { decision, judge: () => verdict };
};
const someRules = fc
  .array(fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...verdicts)), { maxLength: 8 })
  .map((items) => items.map(([kind, verdict], index) => rule(index, kind, verdict)));

test('R5.1 a deny that matches, or a rule that could have decided and cannot be judged, lets nothing through', () => {
  fc.assert(
    fc.property(someRules, (rules) => {
      const denied = rules.some(({ decision, judge }) => decision.kind === 'deny' && judge().kind !== 'no_match');
      const first = rules.find(({ judge }) => judge().kind !== 'no_match');
      const decision = decide(rules, 'unsafe');
      if (denied || first?.judge().kind === 'failed') expect(decision.kind).toBe('deny');
      else expect(decision.rule).toBe(first?.decision.rule ?? 'no-match');
    }),
  );
});

test('R5.1 a rule that cannot decide any more is not asked', () => {
  const judge = jest.fn((): Verdict => ({ kind: 'match' }));
  const late = { decision: { rule: 'late', kind: 'allow' } as const, judge };
  expect(decide([rule(0, 'allow', { kind: 'match' }), late], 'unsafe').rule).toBe('r0');
  expect(judge).not.toHaveBeenCalled();
});

test('R5.1 without a match, a read is allowed and every class of write asks', () => {
  expect(decide([], 'none').kind).toBe('allow');
  for (const effect of ['idempotent', 'deduplicated', 'probed', 'unsafe'] as const)
    expect(decide([], effect)).toMatchObject({
      kind: 'require_approval',
      terms: { approvals: 1, channel: 'asserted' },
    });
});
