import { ActivityFailure, ApplicationFailure, CancelledFailure, RetryState } from '@temporalio/common';
import type { AttemptInput, AttemptResult } from '../../../src/protocol/attempt';
import type { Answered } from '../../../src/protocol/calls';
import type { UpdateReply } from '../../../src/protocol/messages';
import type { Lane } from '../../../src/workflows/calls/plan';
import { drive } from '../../../src/workflows/drive';
import type { Host } from '../../../src/workflows/host';
import { receiveSignal, receiveUpdate } from '../../../src/workflows/messages/receive';
import { openRun, type Run } from '../../../src/workflows/run/run';
import type { FakeLedger } from './fake-ledger';

/** What a workflow task is handed at its start, in the order of history. */
export type Delivery =
  | { readonly kind: 'signal'; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'update'; readonly id: string; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'result'; readonly seq: number; readonly result: Result }
  | { readonly kind: 'fired'; readonly seq: number };
export type Result = { readonly answered: Answered } | { readonly error: Error };

/** One workflow task as history keeps it: with what came, and what its local calls returned. */
export interface Task {
  readonly now: number;
  readonly suggestsNewRun: boolean;
  readonly delivered: readonly Delivery[];
  readonly locals: Result[];
}

export interface Sent {
  readonly seq: number;
  readonly lane: Lane;
  /** One execution of it. */
  readonly execute: (ledger: FakeLedger) => Answered;
  aborted: boolean;
}

/** A failure as Temporal brings it to a workflow. */
export const activityFailure = (cause: Error): ActivityFailure =>
  new ActivityFailure('Activity task failed', 'call', 'm1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'fake', cause);
export const applicationFailure = (type: string): ActivityFailure =>
  activityFailure(ApplicationFailure.create({ type, message: type, nonRetryable: true }));
export const cancelledFailure = (): ActivityFailure => activityFailure(new CancelledFailure('Activity cancelled'));

type Settle = { resolve: (value: never) => void; reject: (error: unknown) => void };

class ContinuedAsNew extends Error {
  constructor(readonly input: AttemptInput) {
    super('continued as new');
  }
}

/**
 * One decision of a workflow from its start: earlier tasks are replayed from history, the newest is live. The workflow
 * code is the real one; only its Host is this class. A lost task is simply decided again by another Decision.
 */
export class Decision {
  readonly run: Run;
  readonly sent: Sent[] = [];
  readonly timers = new Map<number, number>();
  readonly replies = new Map<string, UpdateReply>();
  readonly details: string[] = [];
  readonly published: string[] = [];
  outcome: { result: AttemptResult } | { newInput: AttemptInput } | { error: unknown } | undefined;

  private readonly settles = new Map<number, Settle>();
  private readonly conditions = new Set<{ holds: () => boolean; resolve: () => void }>();
  private locals: Sent[] = [];
  private nextSeq = 1;
  private openUpdates = 0;
  private task: Task;

  constructor(
    input: AttemptInput,
    readonly history: readonly Task[],
    readonly live: Task,
    private readonly random: () => number,
  ) {
    this.task = history[0] ?? live;
    this.run = openRun(input, this.host());
  }

  /** Replays history and delivers the newest task, up to its first local call. */
  async begin(): Promise<void> {
    let started = false;
    for (const task of [...this.history, this.live]) {
      this.task = task;
      for (const delivery of task.delivered) this.deliver(delivery);
      if (!started) {
        started = true;
        drive(this.run).then(
          (result) => {
            this.outcome = { result };
          },
          (error: unknown) => {
            this.outcome = error instanceof ContinuedAsNew ? { newInput: error.input } : { error };
          },
        );
      }
      await this.settle();
      if (task === this.live) return;
      for (const result of task.locals) {
        await this.resolveLocal(result);
      }
    }
  }

  /** The local call that the live task waits for. */
  get pendingLocal(): Sent | undefined {
    return this.locals[0];
  }

  async resolveLocal(result: Result): Promise<void> {
    const local = this.locals.shift();
    if (!local) throw new Error('No local call waits');
    this.resolve(local.seq, result);
    await this.settle();
  }

  /** Regular calls and timers that are open. */
  get open(): { calls: Sent[]; timers: number[] } {
    return {
      calls: this.sent.filter(({ seq, lane }) => lane === 'regular' && this.settles.has(seq)),
      timers: [...this.timers.keys()],
    };
  }

  private deliver(delivery: Delivery): void {
    switch (delivery.kind) {
      case 'signal':
        receiveSignal(this.run, delivery.name, delivery.argument);
        return;
      case 'update': {
        this.openUpdates += 1;
        const id = receiveUpdate(this.run, delivery.name, delivery.argument, delivery.id);
        void this.run.mailbox.named(id).then((reply) => {
          this.openUpdates -= 1;
          this.replies.set(delivery.id, reply);
        });
        return;
      }
      case 'result':
        this.resolve(delivery.seq, delivery.result);
        return;
      case 'fired':
        this.timers.delete(delivery.seq);
        this.resolve(delivery.seq, { answered: undefined as never });
    }
  }

  private resolve(seq: number, result: Result): void {
    const settle = this.settles.get(seq);
    this.settles.delete(seq);
    if (!settle) return; // a timer whose wait ended early
    if ('error' in result) settle.reject(result.error);
    else settle.resolve(result.answered as never);
  }

  private wait<T>(seq: number): Promise<T> {
    return new Promise<T>((resolve, reject) =>
      this.settles.set(seq, { resolve: resolve as Settle['resolve'], reject }),
    );
  }

  /** Lets the workflow run until it waits for something outside. */
  private async settle(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const due = [...this.conditions].find(({ holds }) => holds());
      if (!due) return;
      this.conditions.delete(due);
      due.resolve();
    }
  }

  private until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.conditions.add({ holds, resolve }));
  }

  private host(): Host {
    const send = (lane: Lane, execute: Sent['execute']) => {
      const sent: Sent = { seq: this.nextSeq++, lane, execute, aborted: false };
      this.sent.push(sent);
      if (lane === 'local') this.locals.push(sent);
      return {
        answered: this.wait<never>(sent.seq),
        abort: () => {
          sent.aborted = true;
        },
      };
    };
    return {
      now: () => this.task.now,
      random: this.random,
      sleep: async (ms, _why, early) => {
        const seq = this.nextSeq++;
        this.timers.set(seq, ms);
        const fired = this.wait<void>(seq);
        await (early ? Promise.race([fired, this.until(early)]) : fired);
        this.timers.delete(seq);
        this.settles.delete(seq);
      },
      until: (holds) => this.until(holds),
      invoke: (kind, call, plan) => send(plan.lane, (ledger) => ledger.answer(kind, call)),
      giveUp: (_kind, args) => send('regular', (ledger) => ledger.giveUp(args)),
      suggestsNewRun: () => this.task.suggestsNewRun,
      isPinned: () => false,
      versionChanged: () => false,
      handlersFinished: () => this.openUpdates === 0,
      continueAsNew: (input) => Promise.reject(new ContinuedAsNew(input)),
      show: (details) => this.details.push(details),
      publish: (state) => this.published.push(state),
    };
  }
}
