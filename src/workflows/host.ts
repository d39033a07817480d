import type { AttemptState } from '../domain/attempt/states';
import type { AttemptInput } from '../protocol/attempt';
import type { Answered, Call, CallKind, GiveUpArgs } from '../protocol/calls';
import type { Plan } from './calls/plan';

/**
 * All that the Attempt workflow needs of the engine that runs it: Temporal in production, a schedule in a test.
 * Nothing here may be used to choose a numbered call (M3).
 */
export interface Host {
  /** The workflow's clock, ms since the epoch; the same on replay. */
  now(): number;
  /** In [0, 1); the same on replay. */
  random(): number;
  /** Resolves after `ms`, or as soon as `early` holds. `why` is shown beside the timer. */
  sleep(ms: number, why: string, early?: () => boolean): Promise<void>;
  /** Resolves once `holds` does; a handler may make it hold. */
  until(holds: () => boolean): Promise<void>;
  /** Sends one execution of a numbered call. It rejects with an ActivityFailure where no answer was given (M2). */
  invoke<K extends CallKind>(kind: K, call: Call<K>, plan: Plan): Invocation<Answered<K>>;
  /** Closes the number of a call that nobody answered; the answer is that call's, so its kind is `kind`. */
  giveUp<K extends CallKind>(kind: K, args: GiveUpArgs): Invocation<Answered<K>>;
  /** The server asks for a new run, because the history is long. */
  suggestsNewRun(): boolean;
  /** The run is held to the version of the worker that it began on. */
  isPinned(): boolean;
  /** Another version of the worker than the one that the run is held to takes new runs. */
  versionChanged(): boolean;
  /** No update handler waits. */
  handlersFinished(): boolean;
  /** Ends this run and starts the next one, on the version of the worker that takes new runs; never resolves. */
  continueAsNew(input: AttemptInput): Promise<never>;
  /** Markdown for a person who looks at the workflow. */
  show(details: string): void;
  /** Writes the state into the search attributes; one event of history. */
  publish(state: AttemptState): void;
}

export interface Invocation<A extends Answered> {
  readonly answered: Promise<A>;
  /** Asks the execution to stop; it may answer all the same. */
  abort(): void;
}
