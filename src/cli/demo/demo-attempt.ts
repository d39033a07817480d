import { setTimeout as sleep } from 'node:timers/promises';
import { attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { cancelAttempt } from '../../requests/acts/cancel-attempt';
import { type StartedTask, startOrRefuse, startTask } from '../../requests/acts/start-task';
import type { Session } from '../../requests/session';
import type { TaskFile } from '../../requests/task/task-file';

/** A paused attempt cancels in well under a second; one whose tool has to be ended first, in a few. */
const cancelWaitMs = 15_000;
/** One indexed read, ten times in the second that a cancel takes. */
const pollMs = 100;

/** What the demo found, and what it follows. */
export interface DemoAttempt extends StartedTask {
  /** Attempts of earlier demos that were open and would not have gone on by themselves. */
  readonly replaced: readonly { readonly id: string; readonly state: string; readonly ended: boolean }[];
}

/**
 * An attempt that the demo can lead to its end: the one that an interrupted demo left in the middle or waiting for an
 * approval, else a new one. An earlier one that waits for something else, or that runs with another model, is cancelled:
 * nobody comes back to it.
 */
export async function demoAttempt(
  session: Session,
  file: TaskFile,
  tell: (text: string) => void,
): Promise<DemoAttempt> {
  const replaced: DemoAttempt['replaced'][number][] = [];
  for (;;) {
    const outcome = await startOrRefuse(session, file, { again: true });
    const { ref } = outcome.attempt;
    if (outcome.kind !== 'refused' && !(await isStuck(session, ref))) return { ...outcome, replaced };

    const { state } = await attemptStatus(session.pool, ref);
    tell(`${ref.id} of an earlier demo is still open (${state}); it is cancelled, and the next attempt begins.`);
    const ended = await cancelAndWait(session, ref);
    replaced.push({ id: ref.id, state, ended });
    if (!ended) return { ...(await startTask(session, file, { again: true, beside: true })), replaced };
  }
}

async function isStuck({ pool }: Session, ref: AttemptRef): Promise<boolean> {
  const { settled, ended, state } = await attemptStatus(pool, ref);
  return settled && !ended && state !== 'WAITING_FOR_APPROVAL';
}

/** Whether it ended in time. */
async function cancelAndWait(session: Session, ref: AttemptRef): Promise<boolean> {
  await cancelAttempt(session, ref, { reason: 'another demo' });
  for (let waitedMs = 0; waitedMs < cancelWaitMs; waitedMs += pollMs) {
    if ((await attemptStatus(session.pool, ref)).ended) return true;
    await sleep(pollMs);
  }
  return false;
}
