import { continueIfDue } from '../run/continue-as-new';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Between two steps: the place where a run may be cut. The view itself is built from ledger rows where the model is called. */
export function assemblingContext(run: Run): RunState | Promise<never> {
  const newRun = continueIfDue(run);
  if (newRun) return newRun;
  run.step += 1;
  run.stepsInRun += 1;
  return { kind: 'WAITING_FOR_MODEL', tries: 0 };
}
