import { raceExitCode } from '../../src/cli/conclude-race';
import { attemptsMax, attemptsOf } from '../../src/requests/acts/attempts-beside';

const failed = { state: 'FAILED', settled: true, reason: 'failed' } as const;
const cancelled = { state: 'CANCELLED', settled: true, reason: 'cancelled' } as const;
const completed = { state: 'COMPLETED', settled: true, reason: 'success' } as const;
const asks = { state: 'WAITING_FOR_APPROVAL', settled: true, reason: 'paused_for_approval' } as const;
const runs = { state: 'WAITING_FOR_MODEL', settled: false, reason: null } as const;

test.each([
  ['a result counts, whatever became of the others', [runs, completed, cancelled], 0],
  ['while one waits for somebody nothing is lost', [failed, asks], 3],
  ['all failed', [failed, cancelled, failed], 1],
  ['all were cancelled', [cancelled, cancelled], 4],
])('R15.1 the exit code of attempts side by side: %s', (_what, statuses, code) => {
  expect(raceExitCode(statuses)).toBe(code);
});

test('R15.1 as many attempts as are allowed, and none of a dialog beside another', () => {
  expect(attemptsOf(attemptsMax, { kind: 'code_change' })).toBe(attemptsMax);
  expect(attemptsOf(1, { kind: 'dialog' })).toBe(1);
  expect(() => attemptsOf(attemptsMax + 1, { kind: 'code_change' })).toThrow('is not from 1 to 8');
  expect(() => attemptsOf(0, { kind: 'code_change' })).toThrow('is not from 1 to 8');
  expect(() => attemptsOf(2, { kind: 'dialog' })).toThrow('no contract to choose');
});
