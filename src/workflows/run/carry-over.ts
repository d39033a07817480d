import type { AttemptInput, CarryOver } from '../../protocol/attempt';
import { pauseOf } from './place';
import { activeMs, type Run } from './run';

/**
 * What the next run begins with. Nothing is called to get rid of what is queued: it goes along, because whether something
 * is queued depends on when messages came, and no number may depend on that (M3).
 */
export function carryOver(run: Run): AttemptInput {
  const paused = pauseOf(run.state);
  const carried: CarryOver = {
    flow: run.flow,
    n: run.n,
    step: run.step,
    turn: run.turn,
    candidate: run.candidate,
    model: run.model,
    activeMs: activeMs(run),
    nextRider: run.nextRider,
    riders: run.riders,
    signals: run.signals,
    prepared: run.prepared,
    path: run.path,
    ...(run.workspaceHost !== undefined && { workspaceHost: run.workspaceHost }),
    ...run.mailbox.freight(),
    ...(paused && { paused }),
  };
  return { v: 1, ref: run.ref, start: run.start, carried };
}
