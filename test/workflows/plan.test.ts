import { planOf, type Work } from '../../src/workflows/calls/plan';
import { landGraceMs } from '../../src/workflows/limits';
import { action } from './support/inputs';

const model = { name: 'main', quick: true, timeoutMs: 60_000 };

test.each<[Work, 'local' | 'regular']>([
  [{ kind: 'think', step: 1, model }, 'local'],
  [{ kind: 'think', step: 1, model: { ...model, quick: false } }, 'regular'],
  [{ kind: 'act', step: 1, action: action(0, { quick: true }) }, 'local'],
  [{ kind: 'act', step: 1, action: action(0) }, 'regular'],
  [{ kind: 'probe', step: 1, action: action(0, { quick: true }) }, 'local'],
  [{ kind: 'probe', step: 1, action: action(0) }, 'regular'],
  [{ kind: 'verify', criterion: 'tests' }, 'regular'],
  [{ kind: 'prepare' }, 'regular'],
  [{ kind: 'commit' }, 'regular'],
  [{ kind: 'record' }, 'local'],
  [{ kind: 'settle' }, 'local'],
])('what is expected to be quick is local: %j', (work, lane) => {
  expect(planOf(work).lane).toBe(lane);
});

test('R9.1 a call may take as long as the model or tool may, and the grace to end its processes', () => {
  expect(planOf({ kind: 'think', step: 1, model }).startToCloseMs).toBe(60_000 + landGraceMs);
  expect(planOf({ kind: 'act', step: 1, action: action(0, { timeoutMs: 5_000 }) }).startToCloseMs).toBe(
    5_000 + landGraceMs,
  );
});

test('R10.4 a summary holds ids and a name, and fits the 200 bytes that Temporal shows', () => {
  const long = planOf({ kind: 'act', step: 12, action: action(3, { tool: '界'.repeat(500) }) });
  expect(long.summary).toMatch(/^s12\.a3 · 界+$/);
  expect(Buffer.byteLength(long.summary)).toBeLessThanOrEqual(200);
});
