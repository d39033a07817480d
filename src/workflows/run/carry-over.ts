import type { AttemptInput, CarryOver } from '../../protocol/attempt';
import { activeMs, type Run } from './run';
import { isPaused } from './run-state';

/**
 * What the next run begins with. Nothing is called to get rid of what is queued: it goes along, because whether something
 * is queued depends on when messages came, and no number may depend on that (M3).
 */
export function carryOver(run: Run): AttemptInput {
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
    ...run.mailbox.freight(),
    ...(isPaused(run.state) && { paused: { state: run.state.kind, reason: run.state.reason } }),
  };
  return { v: 1, ref: run.ref, start: run.start, carried };
}
