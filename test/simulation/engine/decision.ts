import { canonicalHash } from '../../../src/domain/canonical';
import type { AttemptInput, AttemptResult } from '../../../src/protocol/attempt';
import type { Answered, Call, CallKind, GiveUpArgs } from '../../../src/protocol/calls';
import type { UpdateReply } from '../../../src/protocol/messages';
import type { Plan } from '../../../src/workflows/calls/plan';
import { drive } from '../../../src/workflows/drive';
import type { Host, Invocation } from '../../../src/workflows/host';
import { receiveSignal, receiveUpdate } from '../../../src/workflows/messages/receive';
import { openRun, type Run } from '../../../src/workflows/run/run';
import { settled } from './scheduler';

/** What a workflow task is handed at its start, in the order of history. */
export type Delivery =
  | { readonly kind: 'signal'; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'update'; readonly id: string; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'result'; readonly seq: number; readonly result: Result }
  | { readonly kind: 'fired'; readonly seq: number };
export type Result = { readonly answered: Answered } | { readonly error: Error };

/** One workflow task as history keeps it: what came, what its local calls returned, and what it commanded. */
export interface Task {
  readonly nowMs: number;
  readonly suggestsNewRun: boolean;
  readonly delivered: readonly Delivery[];
  readonly locals: { readonly seq: number; readonly result: Result }[];
  readonly commands: string[];
}

/** One execution of a numbered call, or of `giveUp`. */
export type Work =
  | { readonly kind: CallKind; readonly call: Call }
  | { readonly kind: 'giveUp'; readonly args: GiveUpArgs };

export type Command =
  | { readonly kind: 'call'; readonly seq: number; readonly work: Work; readonly plan: Plan }
  | { readonly kind: 'abort'; readonly seq: number }
  | { readonly kind: 'timer'; readonly seq: number; readonly ms: number };

export type Outcome =
  | { readonly result: AttemptResult }
  | { readonly newInput: AttemptInput }
  | { readonly error: unknown };

class ContinuedAsNew extends Error {
  constructor(readonly input: AttemptInput) {
    super('continued as new');
  }
}

/** A second decision of a task commands something else than history says: the code is not deterministic. */
export class NondeterminismError extends Error {
  override readonly name = 'NondeterminismError';
}

type Settle = { resolve: (value: never) => void; reject: (error: unknown) => void };

/**
 * One decision of a run: the real workflow code over this class as its Host. It is fed task by task; a lost task is decided
 * anew by another Decision, which is fed the history first.
 */
export class Decision {
  readonly run: Run;
  readonly replies = new Map<string, UpdateReply>();
  /** Commands of the newest task, for the server to carry out. */
  commands: Command[] = [];
  outcome: Outcome | undefined;

  private task: Task;
  private started = false;
  private nextSeq = 1;
  private openUpdates = 0;
  private readonly locals: Extract<Command, { kind: 'call' }>[] = [];
  private readonly settles = new Map<number, Settle>();
  private readonly conditions = new Set<{ holds: () => boolean; resolve: () => void }>();

  constructor(
    input: AttemptInput,
    first: Task,
    private readonly random: () => number,
    /** Told each numbered call, whoever decides it. */
    private readonly onCall: (kind: CallKind, call: Call) => void,
  ) {
    this.task = first;
    this.run = openRun(input, this.host());
  }

  /** Goes through what history has; throws where a task commands anything else than it did then. */
  async replay(history: readonly Task[]): Promise<void> {
    for (const past of history) {
      const again: Task = { ...past, locals: [], commands: [] };
      await this.begin(again);
      for (const { seq, result } of past.locals) await this.resolveLocal(seq, result);
      if (JSON.stringify(again.commands) !== JSON.stringify(past.commands)) {
        throw new NondeterminismError(`was ${past.commands.join(', ')} and is now ${again.commands.join(', ')}`);
      }
    }
    this.commands = [];
  }

  /** The next task: everything that came, up to the first wait for something else. */
  async begin(task: Task): Promise<void> {
    this.task = task;
    this.commands = [];
    for (const delivery of task.delivered) this.deliver(delivery);
    if (!this.started) this.start();
    await this.settle();
  }

  /** Local calls that the task waits for, in their order. */
  get pending(): readonly Extract<Command, { kind: 'call' }>[] {
    return this.locals;
  }

  async resolveLocal(seq: number, result: Result): Promise<void> {
    const at = this.locals.findIndex((local) => local.seq === seq);
    if (at < 0) throw new NondeterminismError(`no local call ${seq} waits`);
    this.locals.splice(at, 1);
    this.task.locals.push({ seq, result });
    this.resolve(seq, result);
    await this.settle();
  }

  private start(): void {
    this.started = true;
    drive(this.run).then(
      (result) => {
        this.outcome = { result };
      },
      (error: unknown) => {
        this.outcome = error instanceof ContinuedAsNew ? { newInput: error.input } : { error };
      },
    );
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
      await settled();
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

  private command(command: Command, what: string): void {
    this.commands.push(command);
    this.task.commands.push(what);
  }

  private send<A extends Answered>(work: Work, plan: Plan): Invocation<A> {
    const seq = this.nextSeq++;
    const call = { kind: 'call', seq, work, plan } as const;
    this.command(call, `${seq} ${plan.lane} ${describeWork(work)}`);
    if (plan.lane === 'local') this.locals.push(call);
    return {
      answered: this.wait<A>(seq),
      abort: () => this.command({ kind: 'abort', seq }, `${seq} abort`),
    };
  }

  private async sleep(ms: number, early: (() => boolean) | undefined): Promise<void> {
    if (early?.()) return;
    const seq = this.nextSeq++;
    this.command({ kind: 'timer', seq, ms }, `${seq} timer ${ms}`);
    const fired = this.wait<void>(seq);
    await (early ? Promise.race([fired, this.until(early)]) : fired);
    this.settles.delete(seq);
  }

  private host(): Host {
    const giveUpPlan: Plan = { lane: 'regular', startToCloseMs: 60_000, summary: 'giveUp' };
    return {
      now: () => this.task.nowMs,
      random: this.random,
      sleep: (ms, _why, early) => this.sleep(ms, early),
      until: (holds) => this.until(holds),
      invoke: (kind, call, plan) => {
        this.onCall(kind, call);
        return this.send({ kind, call }, plan);
      },
      giveUp: (_kind, args) => this.send({ kind: 'giveUp', args }, giveUpPlan),
      suggestsNewRun: () => this.task.suggestsNewRun,
      isPinned: () => false,
      versionChanged: () => false,
      handlersFinished: () => this.openUpdates === 0,
      continueAsNew: (input) => Promise.reject(new ContinuedAsNew(input)),
      show: () => {},
      publish: () => {},
    };
  }
}

export function describeWork(work: Work): string {
  if (work.kind === 'giveUp') return `giveUp ${work.args.call.n}`;
  return `${work.call.n} ${work.kind} ${argsInWords(work.call.args)}`;
}

/** M1: what of a call is compared. */
export const identityOf = (kind: CallKind, call: Call) => `${kind} ${canonicalHash(call.args)}`;

const argsInWords = (args: object) =>
  Object.entries(args)
    .filter(([name]) => name !== 'hash')
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
