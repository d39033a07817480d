import type { Answered } from '../../protocol/calls';
import type { Invocation } from '../host';
import { lostExecutionPauseMaxMs, lostExecutionPauseMs } from '../limits';
import type { Run } from '../run/run';
import { type LostCall, lostCall } from './lost-call';
import { waitOutOutage } from './outage';

/** The ledger holds another call under this number: the code here has changed its mind, which it never may (M1). */
export class MoveMismatch extends Error {
  override readonly name = 'MoveMismatch';
}

export interface Persistence {
  /** A cancel may stop an execution in flight (M5). */
  readonly abortable: boolean;
  /** Executions that may be lost before this gives up; infinite where there is no other way on. */
  readonly lostMax: number;
}

/** How the execution before ended. */
export type Unanswered =
  | Exclude<LostCall, { kind: 'stopped' | 'mismatch' | 'ledger_unavailable' }>
  | { readonly kind: 'stopped' | 'aborted' };

export type Outcome<A extends Answered> =
  | { readonly kind: 'answered'; readonly answered: A }
  | { readonly kind: 'lost'; readonly code: string };

/**
 * Sends one execution after another until one answers (M2).
 *
 *   I1  An unreachable ledger is waited for without end and is not counted, nor billed to the attempt.
 *   I2  An execution that stopped because we asked it to is repeated at once and not counted: the answer tells what the
 *       cancel came to (M5).
 *   I3  Anything else that an activity throws is counted; what no activity threw is a bug and fails the workflow task.
 *   I4  A call that nobody began is sent on at once, and is not counted: how long it waits to be begun sets the pace.
 */
export async function untilAnswered<A extends Answered>(
  run: Run,
  send: (before: Unanswered | undefined) => Invocation<A>,
  { abortable, lostMax }: Persistence,
): Promise<Outcome<A>> {
  let lost = 0;
  let before: Unanswered | undefined;
  let outageFrom: number | undefined;
  for (;;) {
    const execution = await execute(run, () => send(before), abortable);
    if (execution.kind === 'answered') return execution;
    if (execution.kind === 'mismatch') throw new MoveMismatch(execution.message);
    if (execution.kind === 'ledger_unavailable') {
      outageFrom ??= run.host.now();
      await waitOutOutage(run, outageFrom); // I1
      continue;
    }
    outageFrom = undefined;
    before = execution;
    if (execution.kind === 'elsewhere' || execution.kind === 'not_taken') continue; // I4
    if (execution.kind === 'aborted') continue; // I2

    lost += 1; // I3
    if (lost >= lostMax) return { kind: 'lost', code: execution.kind === 'lost' ? execution.code : 'STOPPED' };
    const pauseMs = Math.min((lost - 1) * lostExecutionPauseMs, lostExecutionPauseMaxMs);
    if (pauseMs > 0) await run.host.sleep(pauseMs, 'before a lost call is repeated');
  }
}

async function execute<A extends Answered>(run: Run, send: () => Invocation<A>, abortable: boolean) {
  const { answered, abort } = send();
  let aborted = false;
  const stop = () => {
    aborted = true;
    abort();
  };
  if (abortable) run.aborts.add(stop);
  try {
    return { kind: 'answered', answered: await answered } as const;
  } catch (error) {
    const lost = lostCall(error);
    if (!lost) throw error;
    return lost.kind === 'stopped' && aborted ? ({ kind: 'aborted' } as const) : lost;
  } finally {
    run.aborts.delete(stop);
  }
}
