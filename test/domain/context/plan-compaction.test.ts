import fc from 'fast-check';
import {
  believedRatio,
  type CompactionFacts,
  keptStepsMax,
  planCompaction,
  visibleStepsMax,
} from '../../../src/domain/context/plan-compaction';

const stepsOf = (count: number, tokens: number, from = 1) =>
  Array.from({ length: count }, (_, k) => ({ step: from + k, tokens }));

const facts = (change: Partial<CompactionFacts>): CompactionFacts => ({
  steps: stepsOf(30, 1_000),
  fixedTokens: 2_000,
  projectionTokens: 0,
  contextTokens: 104_000,
  outputTokens: 4_000,
  ratio: 1,
  tight: false,
  ...change,
});

test('R13.2 nothing leaves a view that has room', () => {
  expect(planCompaction(facts({}))).toEqual({ kind: 'none' });
  expect(planCompaction(facts({ steps: stepsOf(60, 1_000) }))).toEqual({ kind: 'none' });
  expect(planCompaction(facts({ steps: [] }))).toEqual({ kind: 'none' });
});

test('R13.2 a view over 0.7 of what the answer leaves is brought to half of that, oldest steps first', () => {
  // 0.7 of 100,000 is 70,000, and 69 steps would be too many by their number.
  const full = facts({ steps: stepsOf(30, 2_300) });
  expect(planCompaction(facts({ steps: stepsOf(30, 2_266) }))).toEqual({ kind: 'none' });
  const plan = planCompaction(full);
  expect(plan).toMatchObject({ kind: 'compact', targetTokens: 35_000 });
  // (35,000 − 2,000) × 0.6 holds 8 steps of 2,300.
  expect(plan).toMatchObject({ uptoStep: 22 });
});

test('R13.2 more than sixty steps word for word are too many, however large the context is', () => {
  const many = facts({ steps: stepsOf(visibleStepsMax + 1, 200), contextTokens: 1_000_000 });
  expect(planCompaction(many)).toMatchObject({ kind: 'compact', uptoStep: visibleStepsMax + 1 - keptStepsMax });
});

test('R13.2 steps that are hardly anything beside what is fixed are not worth the cache', () => {
  const many = facts({ steps: stepsOf(visibleStepsMax + 1, 10), fixedTokens: 20_000 });
  expect(planCompaction(many)).toEqual({ kind: 'none' });
});

test('R13.2 the reported usage trues the estimate up, in both directions, and nonsense is not believed', () => {
  const steps = stepsOf(30, 2_300);
  expect(planCompaction(facts({ steps, ratio: 0.8 }))).toEqual({ kind: 'none' });
  expect(planCompaction(facts({ steps: stepsOf(30, 1_200), ratio: 1.9 }))).toMatchObject({ kind: 'compact' });
  expect([
    believedRatio(1, 1_000),
    believedRatio(30_000, 1_000),
    believedRatio(5, 0),
    believedRatio(900, 1_000),
  ]).toEqual([1, 1, 1, 0.9]);
});

test('R13.2 a provider that finds the view too long gets half the aim, whatever was estimated', () => {
  const roomy = { ...facts({ steps: stepsOf(30, 2_300) }) };
  const usual = planCompaction(roomy);
  const tight = planCompaction({ ...roomy, tight: true });
  expect(usual).toMatchObject({ kind: 'compact', targetTokens: 35_000 });
  expect(tight).toMatchObject({ kind: 'compact', targetTokens: 17_500 });
  expect(planCompaction(facts({ steps: stepsOf(2, 10), tight: true }))).toMatchObject({ kind: 'compact', uptoStep: 1 });
});

test('R13.2 the newest step never leaves; a projection that fills the view is made anew without it', () => {
  const huge = { steps: [{ step: 41, tokens: 90_000 }], projectionTokens: 0 };
  expect(planCompaction(facts(huge))).toEqual({ kind: 'none' });
  const stuffed = { steps: [{ step: 41, tokens: 10_000 }], projectionTokens: 80_000 };
  expect(planCompaction(facts(stuffed))).toMatchObject({ kind: 'compact', uptoStep: 40 });
});

const anyFacts = fc.record({
  steps: fc
    .tuple(fc.integer({ min: 1, max: 500 }), fc.array(fc.nat(5_000), { maxLength: 90 }))
    .map(([from, tokens]) => tokens.map((count, k) => ({ step: from + k, tokens: count }))),
  fixedTokens: fc.nat(30_000),
  projectionTokens: fc.nat(30_000),
  contextTokens: fc.integer({ min: 1_000, max: 300_000 }),
  outputTokens: fc.nat(16_000),
  ratio: fc.double({ min: 0.1, max: 10, noNaN: true }),
  tight: fc.boolean(),
});
const sum = (steps: CompactionFacts['steps']) => steps.reduce((all, { tokens }) => all + tokens, 0);

test('R13.2 R13.4 whatever the view: one step stays, at most twenty do, and its parts have bounded room', () => {
  fc.assert(
    fc.property(anyFacts, (any) => {
      const plan = planCompaction(any);
      if (plan.kind === 'none') return;
      const kept = any.steps.filter(({ step }) => step > plan.uptoStep);
      const first = any.steps[0]?.step ?? 0;
      expect(plan.uptoStep).toBeGreaterThanOrEqual(first - 1);
      expect(kept.length).toBeGreaterThanOrEqual(1);
      if (any.steps.length > keptStepsMax) expect(kept.length).toBeLessThanOrEqual(keptStepsMax);
      if (any.steps.length > 1) expect(plan.uptoStep).toBeGreaterThanOrEqual(first);
      const floor = 300 + 200;
      const parts = any.fixedTokens + sum(kept) + plan.itemTokens + plan.summaryTokens;
      if (kept.length > 1) expect(parts).toBeLessThanOrEqual(plan.targetTokens + floor);
      expect(plan.summaryTokens).toBeLessThanOrEqual(2_000);
    }),
    { numRuns: 500 },
  );
});

test('R13.2 R13.5 a view brought to its aim is not full: as much as half of it has to come before the next time', () => {
  fc.assert(
    fc.property(anyFacts, (any) => {
      const plan = planCompaction({ ...any, tight: false });
      if (plan.kind === 'none') return;
      const kept = any.steps.filter(({ step }) => step > plan.uptoStep);
      const projectionTokens = plan.itemTokens + plan.summaryTokens;
      if (any.fixedTokens + projectionTokens + sum(kept) > plan.targetTokens) return; // What is fixed leaves no room.
      expect(planCompaction({ ...any, tight: false, steps: kept, projectionTokens })).toEqual({ kind: 'none' });
    }),
    { numRuns: 500 },
  );
});

test('R13.4 in a large context the aim is what is really smaller, and not what the context would hold', () => {
  const many = facts({ steps: stepsOf(100, 100), contextTokens: 1_000_000, fixedTokens: 2_000 });
  expect(planCompaction(many)).toMatchObject({ kind: 'compact', targetTokens: 8_400 });
});
