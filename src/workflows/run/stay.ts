import { describe } from '../messages/details';
import type { Run } from './run';
import type { PlacedRunState } from './run-state';

/**
 * What the run's state waits for has changed, and the state has not: people see it, and a new run begins with it. Only by
 * what an answer said, as every move (M3).
 */
export function stay<S extends PlacedRunState>(run: Run, state: S): S {
  if (run.state.kind !== state.kind) throw new Error(`${run.state.kind} cannot stay as ${state.kind}`);
  run.state = state;
  run.host.show(describe(run));
  return state;
}
