import type { AttemptState } from '../../domain/attempt/states';
import { stateTable } from '../../domain/attempt/table';
import type { AttemptInput, StartSnapshot } from '../../protocol/attempt';
import type { Rider } from '../../protocol/calls';
import type { AttemptRef } from '../../protocol/ids';
import type { Host } from '../host';
import { Mailbox } from '../messages/mailbox';
import { stateAt } from './place';
import type { RunState } from './run-state';

/**
 * The state of one run of an Attempt.
 *
 *   I1  Every counter that a call's number, kind or arguments depend on changes by answers alone (M3); those that arrivals
 *       or the clock change are listed last, and decide only how a call is sent, when, and in which run.
 */
export interface Run {
  readonly host: Host;
  readonly ref: AttemptRef;
  readonly start: StartSnapshot;

  state: RunState;
  /** Number of the last call (M1). */
  n: number;
  step: number;
  turn: number;
  candidate: number;
  /** Index in `start.models` of the one that answers at present. */
  model: number;
  flow: number;
  /** The workspace is there. */
  prepared: boolean;
  /** States passed since the last rider; the first is where the next rider begins (M7). */
  path: AttemptState[];
  riders: Rider[];
  nextRider: number;

  readonly mailbox: Mailbox;
  /** Signals of the attempt so far: the ids of hand-typed messages (M4). */
  signals: number;
  /** Each stops one of the calls in flight, of those that a cancel may stop (M5). */
  readonly aborts: Set<() => void>;
  /** Billed time up to `since`, ms; since then the present state counts, if it is billed. */
  billedMs: number;
  since: number;
  stepsInRun: number;
  signalsInRun: number;
  updatesInRun: number;
  movesInRun: number;
  /** A new run was asked for, on whichever version of the worker takes new runs. */
  upgradeAsked: boolean;
  /** The run began although another version takes new runs: somebody holds it here, and beginning anew would not help. */
  readonly keptFromVersion: boolean;
  localBurst: number;
  /** The host that has the worktree, as the last answer has it; decides where calls are sent. */
  workspaceHost: string | undefined;
}

/** Reads where the attempt stands from the input; pure, so that handlers find a whole state however early they run. */
export function openRun(input: AttemptInput, host: Host): Run {
  const { carried } = input;
  return {
    host,
    ref: input.ref,
    start: input.start,
    state: beginning(carried),
    n: carried?.n ?? 0,
    step: carried?.step ?? 0,
    turn: carried?.turn ?? 1,
    candidate: carried?.candidate ?? 0,
    model: carried?.model ?? 0,
    flow: carried?.flow ?? input.start.flow,
    prepared: carried?.prepared ?? false,
    path: [...(carried?.path ?? (['CREATED'] as const))],
    riders: [...(carried?.riders ?? [])],
    nextRider: carried?.nextRider ?? 1,
    mailbox: new Mailbox(carried),
    signals: carried?.signals ?? 0,
    aborts: new Set(),
    billedMs: carried?.activeMs ?? 0,
    since: host.now(),
    stepsInRun: 0,
    signalsInRun: 0,
    updatesInRun: 0,
    movesInRun: 0,
    upgradeAsked: false,
    keptFromVersion: host.versionChanged(),
    localBurst: 0,
    workspaceHost: carried?.workspaceHost,
  };
}

function beginning(carried: AttemptInput['carried']): RunState {
  if (!carried) return { kind: 'CREATED' };
  return carried.paused ? stateAt(carried.paused) : { kind: 'ASSEMBLING_CONTEXT' };
}

/** Time in billed states, ms, by the workflow's clock. */
export function activeMs(run: Run): number {
  return run.billedMs + (stateTable[run.state.kind].billed ? run.host.now() - run.since : 0);
}

/** Asks the calls in flight to stop, where a cancel may (M5); they may answer all the same, and later calls are not touched. */
export function abortCalls(run: Run): void {
  for (const abort of run.aborts) abort();
}
