import { exitCodeOf, exitCodeOfRefusal, exitCodes } from '../../src/cli/exit-codes';
import { reasons } from '../../src/domain/attempt/states';

/** Written out from the requirement, not from the table. */
const expected = {
  success: 0,
  failed: 1,
  loop_detected: 1,
  blocked: 3,
  refused: 3,
  turn_stopped: 3,
  waiting_for_user: 3,
  budget_exceeded: 3,
  suspended: 3,
  paused_for_approval: 3,
  waiting_for_effect: 3,
  reconcile_required: 3,
  cancelled: 4,
  cancelled_effect_committed: 4,
};

test('R2.3 every reason has its exit code', () => {
  expect(Object.fromEntries(reasons.map((reason) => [reason, exitCodeOf(reason)]))).toEqual(expected);
});

test('the exit codes that scripts hang on', () => {
  expect(exitCodes).toMatchObject({
    done: 0,
    failed: 1,
    usage: 2,
    paused: 3,
    cancelled: 4,
    unreachable: 5,
    refused: 6,
  });
});

test('one that runs is no failure', () => {
  expect(exitCodeOf(null)).toBe(0);
});

test('a refused request ends with 2, but for policy and for what cannot be reached', () => {
  const others = Object.entries(exitCodeOfRefusal).filter(([, code]) => code !== 2);
  expect(Object.fromEntries(others)).toEqual({ refused_by_policy: 6, no_worker: 5, unreachable: 5 });
});
