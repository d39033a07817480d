/**
 * Work that another system does for an action and that is not done when the call returns (R15.2). It was submitted once, as the
 * action's effect; from then on only its own answers, asked for or sent, say how it goes.
 */
export interface Job {
  /** The other side's name for it, by which it is asked about and cancelled. */
  readonly handle: string;
  /** Idempotency key of the effect that submitted it. */
  readonly effect: string;
  /** False: another action submitted it, and ends it; this one is told the same (E1). */
  readonly mine: boolean;
  readonly state: JobState;
  /** Times that it was asked about. */
  readonly polls: number;
  /** When it is asked about next, and when it has taken too long: ms since the epoch, by the workflow's clock. */
  readonly nextPollAt: number;
  readonly endsBy: number;
  /** What it said of its result; null where it has not said. */
  readonly output: string | null;
  /** It was asked to end before it was done. */
  readonly cancelAsked: boolean;
}
export const jobStates = ['running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
/** Who said that it was over. `limit`: nobody did, and it was waited for no longer. */
export type JobEndedBy = 'poll' | 'callback' | 'limit';

export const isRunning = ({ state }: Pick<Job, 'state'>): boolean => state === 'running';

/** When whoever waits for it looks next. */
export const lookAt = ({ nextPollAt, endsBy }: Pick<Job, 'nextPollAt' | 'endsBy'>): number =>
  Math.min(nextPollAt, endsBy);

/** Whether there is something to do for it: it has ended, or is to be asked, or has taken too long. */
export const isDue = (job: Job, now: number): boolean => !isRunning(job) || now >= lookAt(job);

/** The first wait, ms: a short job is done by then. */
const pollPauseMinMs = 1_000;
/** The longest, ms: a job of hours is noticed within a few minutes of its end, and a poll is two activities of history. */
const pollPauseMaxMs = 300_000;

/**
 * How long to wait before a job is asked about again, after so many polls (from 0): twice as long each time, or as long as the
 * other side asked for, within the same bounds.
 */
export function pollPauseMs(polls: number, asked?: number): number {
  const own = pollPauseMinMs * 2 ** Math.min(polls, maxDoublings);
  const pause = asked === undefined || Number.isNaN(asked) ? own : asked; // it comes from outside
  return Math.min(Math.max(pause, pollPauseMinMs), pollPauseMaxMs);
}
/** Beyond these the longest pause is reached, and a power would overflow. */
const maxDoublings = 10;
