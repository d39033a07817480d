import { checkMove } from '../../domain/attempt/table';
import { describe } from '../messages/details';
import { activeMs, type Run } from './run';
import { isEnded, isPaused, isWait, type RunState } from './run-state';

/**
 * Moves the run to its next state. Throws IllegalMove, which fails the workflow task and never the Attempt (R2.2).
 * An end is no decision of ours but what the attempt's row says (M8), so it is taken as it is; what we asked the row to
 * say was checked before we asked.
 */
export function move(run: Run, next: RunState): void {
  const last = run.state;
  if (!isEnded(next)) checkMove(last.kind, next.kind);

  run.billedMs = activeMs(run);
  run.since = run.host.now();
  run.state = next;
  run.movesInRun += 1;
  run.path.push(next.kind);

  run.host.show(describe(run));
  const shown = rests(last) || rests(next) || isEnded(next);
  if (shown && run.start.searchAttributes) run.host.publish(next.kind);
}

const rests = (state: RunState) => isPaused(state) || isWait(state);
