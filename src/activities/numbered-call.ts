/**
 * The driver of every numbered call: what M1, M2, M4, M5, M7 and M9 ask of an activity, in one place.
 *
 *   I1  A recorded answer is returned and nothing is done again (M1).
 *   I2  Only the execution that owns the number writes its answer; a loser returns the recorded one (M1, M9).
 *   I3  Work runs only after its claim was committed.
 *   I4  An execution that ends without an answer says so, so that the next one need not wait for a lease (M9).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalHash } from '../domain/canonical';
import type { Contract } from '../domain/contract/contract';
import type { Answered, Call, CallAnswers, CallKind, Interrupted } from '../protocol/calls';
import { ExecutionLostError, MoveMismatchError } from './errors';
import type { Executions } from './executions';
import { type AttemptTx, type LedgerPort, LedgerUnavailableError } from './ledger-port';
import { awaitedIds, landRiders, namedMessages, takenBeside, waits } from './messages';
import { notices, noticeVersions } from './notice-versions';
import { nothingTaken, type Taken, type TakePolicy, takeMessages } from './take-messages';
import type { VersionDeps } from './versions-here';
import { hostIn, leftBy, takeOver } from './workspace-host';

/** How often a call that somebody else works on looks for the answer. */
const pollMs = 50;
/** After this long the waiting call fails and is called again, so that no activity outlives its timeout by waiting. */
const waitMaxMs = 20_000;
/**
 * How long a call waits for somebody who is sending under the same key: longer than most writes take, and short against the
 * call's own wait, since the workflow can wait for longer than any activity.
 */
const patienceMs = 5_000;
/**
 * Result in hand and the ledger away: keep trying this long before the call is given back; a restart takes less, and the
 * workflow's own limit leaves more.
 */
const landMaxMs = 60_000;
/** Short against the seconds that a restart takes, and long against a refused connection. */
const landPauseMs = 250;

export interface NumberedDeps extends VersionDeps {
  readonly ledger: LedgerPort;
  readonly executions: Executions;
  /** The name of this host, where workers have data folders of their own; undefined where one host is all there is. */
  readonly host?: string | undefined;
}

type Answer<Kind extends CallKind> = CallAnswers[Kind];

export interface Opened<A, W> {
  readonly answer?: A;
  readonly work?: W;
  /** Somebody else is at what this call needs: look again in a moment, until `patient` is false. */
  readonly busy?: true;
  /**
   * A message that was taken changes what the call is opened on: the transaction stands and claims the number, and `open` is
   * asked anew after `refresh`.
   */
  readonly again?: true;
}

/** What messages said; where something was sent, a cancel or a request to suspend only waits. A cancel goes first. */
export interface OpenFacts extends Taken {
  /** An earlier execution of this number ended without an answer. */
  readonly takeover: boolean;
  /** What it had begun may have taken an effect. */
  readonly sent: boolean;
  /** Id of this execution, which owns what the transaction claims. */
  readonly execution: string;
  /** Monotonic clock before the transaction began, ms (E3). */
  readonly begunAtMs: number;
  /** `busy` may be answered. */
  readonly patient: boolean;
}

export interface Stages<Kind extends CallKind, W, R> {
  readonly takes: TakePolicy;
  /** It works in the attempt's worktree: only the host that has it opens the call, or one that takes it over. */
  readonly workspace?: boolean;
  /** Transaction one: answers at once, or says what to do. Messages were taken, unless something was `sent`. */
  open(tx: AttemptTx, facts: OpenFacts): Promise<Opened<Answer<Kind>, W>> | Opened<Answer<Kind>, W>;
  /** Reads again what `open` decides on, between two transactions; needed where that answers `again`. */
  refresh?(): Promise<void>;
  /**
   * Asked where an execution was lost, or where a cancel waits: whether an effect may have been taken. The cancel is then
   * left for the next call, and `open` answers for the effect (M5).
   */
  sent?(tx: AttemptTx, takeover: boolean): Promise<boolean>;
  work(work: W, signal: AbortSignal): Promise<R>;
  /** Transaction two. */
  close(tx: AttemptTx, work: W, result: R): Promise<Answer<Kind>> | Answer<Kind>;
  /**
   * The work was aborted and a cancel or a request to suspend waits in the inbox: what the number's answer is. `take` takes
   * the messages, which is allowed only with `interrupted` (M5). Absent: the execution ends and the number is called again.
   */
  cancelled?(tx: AttemptTx, work: W, stop: Stop): Promise<Answer<Kind>> | Answer<Kind>;
  /** Somebody else owns or has answered the number by now: what this execution found out is kept as evidence (E4). */
  late?(tx: AttemptTx, work: W, result: R): Promise<void>;
}

/** Why the work was aborted. */
export interface Stop {
  readonly take: () => Promise<void>;
  /** What `interrupted` says: a suspension, where no cancel waits beside it. */
  readonly interrupted: Interrupted;
}

export async function numbered<Kind extends CallKind, W, R>(
  deps: NumberedDeps,
  kind: Kind,
  call: Call<Kind>,
  signal: AbortSignal,
  stages: Stages<Kind, W, R>,
): Promise<Answered<Kind>> {
  const id = randomUUID();
  const run = new NumberedCall(deps, kind, call, id, stages);
  return (await deps.executions.join(`${call.ref.key}:${call.n}:${canonicalHash(call.args)}`, id, signal, (newest) =>
    run.run(newest),
  )) as Answered<Kind>;
}

/** Rolls back what a look at a busy number or key wrote, so that looking again leaves no trace. */
class Busy extends Error {}

class NumberedCall<Kind extends CallKind, W, R> {
  private readonly argsHash: string;
  /** Where versions are noticed: which tools the attempt goes on with. */
  private contract: Contract | undefined;
  /** A transaction that stands has claimed the number, and may have taken it over. */
  private claimed = false;
  private tookOver = false;

  constructor(
    private readonly deps: NumberedDeps,
    private readonly kind: Kind,
    private readonly call: Call<Kind>,
    private readonly id: string,
    private readonly stages: Stages<Kind, W, R>,
  ) {
    this.argsHash = canonicalHash(call.args);
  }

  async run(signal: AbortSignal): Promise<Answered<Kind>> {
    if (notices[this.kind]) this.contract = await this.deps.ledger.contract(this.call.ref);
    const opened = await this.claim(signal).catch((error: unknown) => this.letGo(error));
    if (opened.answered) return opened.answered;
    const work = opened.work as W;
    let result: R;
    try {
      result = await this.stages.work(work, signal);
    } catch (error) {
      return await this.endWithout(error, work, signal);
    }
    return await this.land(work, result, signal);
  }

  /** Claims the number, waiting while somebody else works on it (M9). */
  private async claim(signal: AbortSignal): Promise<{ answered?: Answered<Kind>; work?: W }> {
    for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += pollMs) {
      const begunAtMs = performance.now();
      try {
        const opened = await this.transact((tx) => this.openIn(tx, begunAtMs, waitedMs < patienceMs));
        if (!opened.again) return opened;
        this.claimed = true;
        this.tookOver = opened.again.takeover;
        await this.stages.refresh?.();
        continue;
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
      }
      await sleep(pollMs, undefined, { signal });
    }
    throw new ExecutionLostError(`Move ${this.call.n} of ${this.call.ref.id} is still being worked on elsewhere.`);
  }

  /** I4, of a number that was claimed before the call could be opened. */
  private async letGo(error: unknown): Promise<never> {
    if (this.claimed) await this.transact((tx) => tx.endExecution(this.id));
    throw error;
  }

  private async openIn(
    tx: AttemptTx,
    begunAtMs: number,
    patient: boolean,
  ): Promise<{ answered?: Answered<Kind>; work?: W; again?: { takeover: boolean } }> {
    const known = this.recorded(tx);
    if (known) return { answered: known };
    const previous = tx.execution;
    if (previous) this.compare(previous);
    if (previous?.live && previous.id !== this.id) throw new Busy();
    const { host } = this.deps;
    const from = this.stages.workspace ? await leftBy(tx, host) : undefined;

    landRiders(tx, this.call as Call);
    if (from !== undefined && host !== undefined) takeOver(tx, from, host);
    const isLost = previous !== undefined && previous.id !== this.id;
    const takeover = isLost || this.tookOver;
    const stops = this.isStopped(tx, 'cancel') || this.isStopped(tx, 'suspend');
    const sent = (takeover || stops) && (await this.sent(tx, takeover));
    const taken = await this.stopsIn(tx, sent);
    if (isLost) tx.emit({ type: 'execution_lost', payload: { move: this.call.n, kind: this.kind } }, 'operator');
    const facts = { ...taken, takeover, sent, execution: this.id, begunAtMs, patient };
    if (this.contract) await noticeVersions(this.deps, tx, this.contract);
    const opened = await this.stages.open(tx, facts);
    if (opened.answer !== undefined) return { answered: this.record(tx, opened.answer) };
    if (opened.busy) throw new Busy();
    tx.claim({ id: this.id, worker: this.deps.executions.worker(), kind: this.kind, argsHash: this.argsHash });
    return opened.again ? { again: { takeover } } : { work: opened.work as W };
  }

  private async sent(tx: AttemptTx, takeover: boolean): Promise<boolean> {
    return (await this.stages.sent?.(tx, takeover)) ?? false;
  }

  private async stopsIn(tx: AttemptTx, sent: boolean): Promise<Taken> {
    const { takes } = this.stages;
    if (takes === 'none') return nothingTaken;
    const cancel = this.isStopped(tx, 'cancel');
    if (sent) return { ...nothingTaken, cancel, suspend: this.isStopped(tx, 'suspend') };
    return await takeMessages(this.deps, tx, this.call, takes);
  }

  /** A message says so that waits, or that a call beside this one has taken. */
  private isStopped(tx: AttemptTx, kind: 'cancel' | 'suspend'): boolean {
    return waits(tx, kind) || takenBeside(tx, this.call.beside, kind);
  }

  /** Writes the answer; what was done is in hand, so a ledger that is away is waited for. */
  private async land(work: W, result: R, signal: AbortSignal): Promise<Answered<Kind>> {
    for (let waitedMs = 0; ; waitedMs += landPauseMs) {
      try {
        const answered = await this.transact(async (tx) => {
          const known = this.recorded(tx);
          if (!known && tx.execution?.id === this.id) return this.record(tx, await this.stages.close(tx, work, result));
          await this.stages.late?.(tx, work, result);
          return known;
        });
        if (answered) return answered;
        throw new ExecutionLostError(`Move ${this.call.n} of ${this.call.ref.id} was taken over.`);
      } catch (error) {
        if (!(error instanceof LedgerUnavailableError) || waitedMs >= landMaxMs || signal.aborted) throw error;
        await sleep(landPauseMs);
      }
    }
  }

  /** I4, M5: the work gave no result. */
  private async endWithout(error: unknown, work: W, signal: AbortSignal): Promise<Answered<Kind>> {
    const answered = await this.transact(async (tx) => {
      const known = this.recorded(tx);
      if (known) return known;
      if (tx.execution?.id !== this.id) return undefined;
      const cancel = this.isStopped(tx, 'cancel');
      if (signal.aborted && (cancel || this.isStopped(tx, 'suspend')) && this.stages.cancelled) {
        const interrupted = { kind: 'interrupted', ...(cancel ? {} : { suspend: true as const }) } as const;
        const take = async () => void (await takeMessages(this.deps, tx, this.call, 'stops'));
        return this.record(tx, await this.stages.cancelled(tx, work, { take, interrupted }));
      }
      tx.endExecution(this.id);
      return undefined;
    });
    if (answered) return answered;
    throw error;
  }

  private recorded(tx: AttemptTx): Answered<Kind> | undefined {
    if (!tx.answered) return undefined;
    this.compare(tx.answered);
    return tx.answered.answered as Answered<Kind>;
  }

  /** M1: the same number with another kind of call or other arguments is a bug of the workflow, and loud. */
  private compare(stored: { kind: CallKind; argsHash: string }): void {
    if (stored.kind === this.kind && stored.argsHash === this.argsHash) return;
    throw new MoveMismatchError(
      `Move ${this.call.n} of ${this.call.ref.id} was ${stored.kind} (${stored.argsHash.slice(0, 8)}) and is now ${this.kind} (${this.argsHash.slice(0, 8)}).`,
    );
  }

  private record(tx: AttemptTx, answer: Answer<Kind>): Answered<Kind> {
    const named = namedMessages(tx, this.call.n, awaitedIds(this.call));
    const answered: Answered<Kind> = {
      answer,
      ...(named.length > 0 ? { named } : {}),
      acked: tx.attempt.acked,
      ...hostIn(tx),
    };
    tx.answer(this.kind, this.argsHash, answered as Answered);
    return answered;
  }

  private transact<T>(work: (tx: AttemptTx) => Promise<T> | T): Promise<T> {
    const { ref, n, beside } = this.call;
    const scope = { n, awaited: awaitedIds(this.call), ...(beside !== undefined && { beside }) };
    return this.deps.ledger.transact(ref, scope, work);
  }
}
