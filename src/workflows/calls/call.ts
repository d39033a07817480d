import type { Answered, Call, CallAnswers, CallArgs, CallKind } from '../../protocol/calls';
import { burstBreakMs, localBurstMax, lostExecutionsMax } from '../limits';
import { activeMs, type Run } from '../run/run';
import type { Lane, Plan } from './plan';
import { route } from './route';
import { type Persistence, type Unanswered, untilAnswered } from './until-answered';

/**
 * How each kind of call is persisted with. A cancel or a suspension stops what works for long and can be made again (M5); a commit and the
 * ledger's own calls are left to finish. Where `gave_up` is no answer there is no other way on: the ledger alone makes
 * that answer, and an Attempt neither pauses nor ends without it.
 */
const persistence: Record<CallKind, Persistence> = {
  prepare: { abortable: true, lostMax: lostExecutionsMax },
  think: { abortable: true, lostMax: lostExecutionsMax },
  compact: { abortable: true, lostMax: lostExecutionsMax },
  act: { abortable: true, lostMax: lostExecutionsMax },
  probe: { abortable: true, lostMax: lostExecutionsMax },
  verify: { abortable: true, lostMax: lostExecutionsMax },
  verifySealed: { abortable: true, lostMax: lostExecutionsMax },
  commit: { abortable: false, lostMax: lostExecutionsMax },
  record: { abortable: false, lostMax: Number.POSITIVE_INFINITY },
  settle: { abortable: false, lostMax: Number.POSITIVE_INFINITY },
};

/** Where a call stands among the others. */
export interface Place {
  readonly n: number;
  /** First number of those that it is sent side by side with. */
  readonly beside?: number;
}

/** Gives the next number, and what has to ride with it. */
export function nextPlace(run: Run): Place {
  run.n += 1;
  landPath(run);
  return { n: run.n };
}

/**
 * Makes a numbered call, the next one where none was placed before, and returns its one answer (M1, M2).
 *
 *   I1  Whatever ends an execution without an answer, the same number is called again, or given up by its number.
 *   I2  What rides along, the lane and the waits may follow the clock and what arrived; number, kind and arguments may not (M3).
 */
export async function call<K extends CallKind>(
  run: Run,
  kind: K,
  args: CallArgs[K],
  plan: Plan,
  place = nextPlace(run),
): Promise<CallAnswers[K]> {
  const message = (): Call<K> => ({
    ref: run.ref,
    ...place,
    args,
    now: run.host.now(),
    activeMs: activeMs(run),
    ...(run.riders.length > 0 && { riders: run.riders }),
    ...run.mailbox.freight(),
  });
  const many = run.start.hosts === 'many' && run.start.hasWorkspace;
  let notTaken = 0;
  const send = (before: Unanswered | undefined) => {
    if (before?.kind === 'elsewhere') run.workspaceHost = before.host;
    if (before?.kind === 'not_taken') notTaken += 1;
    const whereabouts = { many, host: run.workspaceHost, before: before?.kind, notTaken };
    return run.host.invoke(kind, message(), route(plan, whereabouts));
  };
  const outcome = await untilAnswered(run, send, persistence[kind]);
  const answered = outcome.kind === 'answered' ? outcome.answered : await giveUp(run, kind, message(), outcome.code);

  run.riders = run.riders.filter(({ r }) => r > answered.acked);
  run.mailbox.drop(answered.named ?? []);
  if (answered.host !== undefined) run.workspaceHost = answered.host;
  if (burstIsOver(run, many && plan.workspace ? 'regular' : plan.lane))
    await run.host.sleep(burstBreakMs, 'ends a burst of local calls');
  return answered.answer;
}

/** The number gets the answer that stands, `gave_up` where nobody gave another; asked for without end (M2). */
async function giveUp<K extends CallKind>(run: Run, kind: K, lost: Call<K>, code: string): Promise<Answered<K>> {
  const send = () => run.host.giveUp(kind, { call: lost, kind, code });
  const outcome = await untilAnswered(run, send, { abortable: false, lostMax: Number.POSITIVE_INFINITY });
  if (outcome.kind === 'lost') throw new Error('A call without end has ended');
  return outcome.answered;
}

/** One rider for the states passed since the last call: its number and content follow from answers alone (M7). */
function landPath(run: Run): void {
  if (run.path.length < 2) return;
  run.riders = [...run.riders, { r: run.nextRider, event: { type: 'state_moved', payload: { path: run.path } } }];
  run.nextRider += 1;
  run.path = run.path.slice(-1);
}

/** The workflow task ends now and then: what it did is recorded, and a signal is seen. */
function burstIsOver(run: Run, lane: Lane): boolean {
  run.localBurst = lane === 'local' ? run.localBurst + 1 : 0;
  if (run.localBurst < localBurstMax) return false;
  run.localBurst = 0;
  return true;
}
