import { planDone, readTaskState } from '../../../src/domain/context/task-state';
import { isLoopStop } from '../../../src/domain/progress/loop-stop';
import { Trail } from '../../../src/domain/progress/trail';
import { type AttemptTables, placeKey, type ToolTryRecord } from './tables';

/** What an attempt's calls have shown, made anew of all its rows: what a ledger that keeps track must come to as well. */
export function readTrail(own: AttemptTables): Trail {
  const trail = new Trail();
  const heardAfter = Math.max(
    -1,
    ...[...own.inputs.values()].filter(({ kind }) => kind === 'message').map(({ after_step }) => after_step),
  );
  const compactions = [...new Set([...own.projections.values()].map(({ step }) => step))].sort((a, b) => a - b);
  const calls = [...newestTries(own).values()]
    .filter(({ step }) => step > heardAfter)
    .map((row) => ({ at: row, see: () => saw(trail, own, row) }));
  const plans = [...own.taskStates.values()].flatMap(({ step, index, body }) =>
    step === undefined || index === undefined
      ? []
      : [{ at: { step, index }, see: () => trail.planned(planDone(readTaskState(body))) }],
  );
  for (const { at, see } of [...calls, ...plans].sort((a, b) => a.at.step - b.at.step || a.at.index - b.at.index)) {
    while (compactions[0] !== undefined && compactions[0] <= at.step) {
      compactions.shift();
      trail.compacted();
    }
    see();
  }
  for (const _ of compactions) trail.compacted();
  return trail;
}

function newestTries(own: AttemptTables): Map<string, ToolTryRecord> {
  const newest = new Map<string, ToolTryRecord>();
  const inOrder = [...own.toolTries.values()].sort((a, b) => a.try - b.try || a.execution - b.execution);
  for (const row of inOrder) if (row.fingerprint !== null) newest.set(placeKey(row.step, row.index), row);
  return newest;
}

function saw(trail: Trail, own: AttemptTables, row: ToolTryRecord): void {
  const seen = own.observations.get(placeKey(row.step, row.index));
  if (!seen || seen.result_hash === null || row.fingerprint === null) return;
  trail.saw({
    step: row.step,
    print: row.fingerprint,
    likeness: row.likeness,
    stepless: row.stepless,
    environment: row.snapshot,
    snapshot: seen.snapshot,
    sent: row.sent,
    stopped: row.close?.outcome === 'not_run' && isLoopStop(row.close.failure ?? null),
    poll: row.poll ?? false,
    ok: seen.ok,
    answer: seen.result_hash,
    tokens: seen.tokens,
    foundNothing: seen.found_nothing,
    failureClass: seen.failure_class,
    failingTests: seen.failing_tests,
  });
}
