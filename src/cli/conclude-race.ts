import { setTimeout as sleep } from 'node:timers/promises';
import { type AttemptStatus, attemptStatus } from '../ledger/queries/attempt-status';
import type { AttemptRef } from '../protocol/ids';
import { attemptDocument } from '../requests/documents/attempt-document';
import type { Session } from '../requests/session';
import type { CommonOptions, FollowOptions } from './common-options';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes';
import { printJson } from './output';
import { renderDetails } from './render-details';
import { row } from './row';
import { tell } from './tell';
import { stateWord } from './words';

/** As live as a person can tell, with one indexed read for each of a few attempts. */
const pollMs = 250;

interface Racer {
  readonly ref: AttemptRef;
  readonly status: AttemptStatus;
}

/**
 * What `--watch` and `--wait` do with attempts side by side (R15.1): follow them until one is COMPLETED or none goes on any more,
 * with `--wait` also until each has ended or paused; then say how the result, or each of them, stands. Returns the exit code.
 */
export async function concludeRace(
  session: Session,
  refs: readonly AttemptRef[],
  options: CommonOptions & FollowOptions,
): Promise<ExitCode> {
  const racers = await follow(session, refs, options);
  const winner = racers.find(({ status }) => status.state === 'COMPLETED');
  if (options.json) {
    printJson(await Promise.all(refs.map((ref) => attemptDocument(session, ref))));
  } else {
    for (const { ref } of winner ? [winner] : racers)
      for (const line of ['', ...renderDetails(await attemptDocument(session, ref))]) tell(session, line);
  }
  return raceExitCode(racers.map(({ status }) => status));
}

async function follow(
  { pool, tenant }: Session,
  refs: readonly AttemptRef[],
  { watch = false, wait = false, json = false }: CommonOptions & FollowOptions,
): Promise<readonly Racer[]> {
  const told = new Map<number, string>();
  for (;;) {
    const racers = await Promise.all(refs.map(async (ref) => ({ ref, status: await attemptStatus(pool, ref) })));
    for (const { ref, status } of watch && !json ? racers : []) {
      const words = `${stateWord(status.state)}${status.reason === null ? '' : ` (${status.reason})`}`;
      if (told.get(ref.key) !== words) tell({ tenant }, row(ref.id, words));
      told.set(ref.key, words);
    }
    const over = racers.every(({ status }) => (wait ? status.settled : status.ended));
    if (over || racers.some(({ status }) => status.state === 'COMPLETED')) return racers;
    await sleep(pollMs);
  }
}

/** What comes closest to done says how a race stands: while one waits for somebody, it is not lost. */
const closest: readonly ExitCode[] = [
  exitCodes.done,
  exitCodes.paused,
  exitCodes.failed,
  exitCodes.refused,
  exitCodes.cancelled,
];

/** Of attempts that each ended or paused, or of which one is COMPLETED. */
export function raceExitCode(statuses: readonly Pick<AttemptStatus, 'state' | 'settled' | 'reason'>[]): ExitCode {
  const codes = statuses.flatMap(({ state, settled, reason }) => {
    if (!settled) return [];
    return [state === 'CANCELLING' ? exitCodes.paused : exitCodeOf(reason)];
  });
  return closest.find((code) => codes.includes(code)) ?? exitCodes.failed;
}
