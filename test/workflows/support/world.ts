import type { AttemptInput, AttemptResult } from '../../../src/protocol/attempt';
import { failureTypes } from '../../../src/protocol/calls';
import type { Message, UpdateReply } from '../../../src/protocol/messages';
import {
  applicationFailure,
  cancelledFailure,
  Decision,
  type Delivery,
  type Result,
  type Sent,
  type Task,
} from './fake-engine';
import type { FakeLedger } from './fake-ledger';

/** Random numbers that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Odds {
  /** A workflow task is lost after any part of it ran, and decided anew. */
  readonly lostTask: number;
  /** Beside a lost task, its old decision goes on against the ledger after the new one. */
  readonly zombie: number;
  /** An execution gives no answer, before or after the ledger has it. */
  readonly lostCall: number;
  /** The run is set back to an earlier task, as an operator's reset does. */
  readonly reset: number;
  readonly message: number;
}

const cancelEverySteps = 120;

interface OpenRun {
  readonly input: AttemptInput;
  readonly seed: number;
  readonly tasks: Task[];
}

/**
 * Everything outside of the workflow's code, moved by one seed: messages, workers that lose calls, and a server that loses
 * workflow tasks. It keeps what a real server keeps: signals and updates reach each decision at least as early as the one before.
 */
export class World {
  readonly runs: OpenRun[];
  readonly sentMessages: string[] = [];
  readonly updates = new Map<string, UpdateReply | undefined>();
  result: AttemptResult | undefined;
  redecisions = 0;

  private queue: Delivery[] = [];
  private latest: Decision | undefined;
  private readonly stray: Sent[] = [];
  private now = 1_000_000;
  private signals = 0;

  constructor(
    input: AttemptInput,
    private readonly ledger: FakeLedger,
    private readonly random: () => number,
    private readonly odds: Odds,
    private messagesLeft: number,
    private readonly newMessage: (ordinal: number, random: () => number) => Message,
  ) {
    this.runs = [{ input, seed: this.seed(), tasks: [] }];
  }

  private get open(): OpenRun {
    const run = this.runs.at(-1);
    if (!run) throw new Error('no run');
    return run;
  }
  private seed = () => Math.floor(this.random() * 1e9);
  private chance = (odds: number) => this.random() < odds;
  private pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(this.random() * items.length)];

  /** Until the attempt ends; one that goes on for long, or waits when all messages came, is cancelled. */
  async finish(stepsMax = 600): Promise<AttemptResult> {
    for (let i = 1; i <= stepsMax; i += 1) {
      if (i % cancelEverySteps === 0) this.sendCancel();
      await this.step();
      if (this.result) return this.result;
    }
    throw new Error(`the attempt hangs in ${this.latest?.run.state.kind} after ${this.ledger.moves.length} moves`);
  }

  private async step(): Promise<void> {
    if (this.messagesLeft > 0 && this.chance(this.odds.message)) this.sendMessage();
    const stray = this.stray.length > 0 && this.chance(0.3) ? this.stray.shift() : undefined;
    if (stray) this.execute(stray); // an activity of a run that was set back; nobody reads its result
    if (this.chance(this.odds.reset)) this.reset();

    const open = this.latest?.open ?? { calls: [], timers: [] };
    const busy = new Set(this.queue.map((delivery) => ('seq' in delivery ? delivery.seq : 0)));
    const call = this.pick(open.calls.filter(({ seq }) => !busy.has(seq)));
    const timer = this.pick(open.timers.filter((seq) => !busy.has(seq)));
    if (call && this.chance(0.6)) this.queue.push({ kind: 'result', seq: call.seq, result: this.execute(call) });
    else if (timer !== undefined && this.chance(0.6)) this.queue.push({ kind: 'fired', seq: timer });
    else if (!call && timer === undefined && this.latest && this.queue.length === 0) {
      if (this.messagesLeft > 0) this.sendMessage();
      else this.sendCancel();
    }
    if (!this.latest || (this.queue.length > 0 && this.chance(0.7))) await this.decide();
  }

  private sendMessage(): void {
    this.messagesLeft -= 1;
    this.send(this.newMessage(this.sentMessages.length + 1, this.random), this.random());
  }
  private sendCancel(): void {
    this.send({ id: `cancel${this.sentMessages.length}`, kind: 'cancel', body: { by: 'test' } }, this.random());
  }

  /** By id where it was typed without one: the signals of an attempt are counted in the order of history. */
  private signal(name: string, argument: unknown): string {
    this.signals += 1;
    this.queue.push({ kind: 'signal', name, argument });
    return `signal/${this.signals}`;
  }

  /** As the command line does, by hand with an id, by hand without, or as an update. */
  private send(message: Message, way: number): void {
    const { id, kind, body } = message;
    if (way < 0.3 || kind === 'effectSettled') {
      if (!this.ledger.insert(message)) return;
      this.signal(kind, { messageId: id });
      this.sentMessages.push(id);
    } else if (way < 0.5 && kind !== 'unknown') {
      this.signal(kind, { ...body, [kind === 'approve' || kind === 'deny' ? 'decisionId' : 'messageId']: id });
      this.sentMessages.push(id);
    } else if (way < 0.8 || kind === 'unknown') {
      this.sentMessages.push(this.signal(kind, body));
    } else {
      this.sentMessages.push(`update/${id}`);
      this.updates.set(id, undefined);
      this.queue.push({ kind: 'update', id, name: kind, argument: body });
    }
  }

  /** One workflow task, with as many lost decisions before it as chance has it. */
  private async decide(): Promise<void> {
    const zombies: Decision[] = [];
    let delivered: Delivery[] = [];
    for (;;) {
      delivered = messagesFirst([...delivered, ...this.queue]);
      this.queue = [];
      this.now += Math.floor(this.random() * 5_000);
      const task: Task = { now: this.now, suggestsNewRun: this.chance(0.1), delivered, locals: [] };
      const decision = new Decision(this.open.input, this.open.tasks, task, seeded(this.open.seed));
      await decision.begin();

      const lost = this.chance(this.odds.lostTask);
      await this.runLocals(decision, lost ? Math.floor(this.random() * 6) : Number.POSITIVE_INFINITY);
      if (!lost) {
        for (const zombie of zombies.splice(0)) await this.runLocals(zombie, Number.POSITIVE_INFINITY);
        if (this.accept(decision)) return;
      } else {
        if (this.chance(this.odds.zombie)) zombies.push(decision);
        if (this.messagesLeft > 0 && this.chance(0.5)) this.sendMessage();
      }
      this.redecisions += 1;
    }
  }

  private async runLocals(decision: Decision, max: number): Promise<void> {
    for (let i = 0; i < max && decision.pendingLocal; i += 1) {
      const result = this.execute(decision.pendingLocal);
      decision.live.locals.push(result);
      await decision.resolveLocal(result);
    }
    if (decision.outcome && 'error' in decision.outcome) throw decision.outcome.error;
  }

  private accept(decision: Decision): boolean {
    const { outcome } = decision;
    if (outcome && this.messagesLeft > 0 && this.chance(0.3)) this.sendMessage();
    if (outcome && this.queue.length > 0) return false;
    this.open.tasks.push(decision.live);
    this.latest = decision;
    for (const [id, reply] of decision.replies) this.updates.set(id, reply);
    if (!outcome) return true;
    if ('result' in outcome) this.result = outcome.result;
    else if ('newInput' in outcome) {
      this.runs.push({ input: outcome.newInput, seed: this.seed(), tasks: [] });
      this.latest = undefined;
    }
    return true;
  }

  private reset(): void {
    if (!this.latest) return;
    this.stray.push(...this.latest.open.calls);
    const keptRuns = 1 + Math.floor(this.random() * this.runs.length);
    const dropped = this.runs.splice(keptRuns);
    const last = this.open;
    const cut = last.tasks.splice(Math.floor(this.random() * last.tasks.length));
    const messages = [...cut, ...dropped.flatMap(({ tasks }) => tasks)]
      .flatMap(({ delivered }) => delivered)
      .concat(this.queue)
      .filter(({ kind }) => kind === 'signal' || kind === 'update');
    this.queue = messages;
    this.latest = undefined;
    this.redecisions += 1;
  }

  /** An execution: it may be lost before the ledger has its answer, or after. */
  private execute(sent: Sent): Result {
    if (sent.aborted && this.chance(0.5)) return { error: cancelledFailure() };
    if (this.chance(this.odds.lostCall / 2)) return { error: this.failure() };
    const answered = sent.execute(this.ledger);
    return this.chance(this.odds.lostCall / 2) ? { error: this.failure() } : { answered };
  }

  private failure(): Error {
    const types = [failureTypes.ledgerUnavailable, failureTypes.executionLost, 'TypeError'];
    return this.chance(0.1) ? cancelledFailure() : applicationFailure(this.pick(types) ?? 'TypeError');
  }
}

/** In one activation a workflow sees its messages before its results, whatever their order in history. */
function messagesFirst(deliveries: readonly Delivery[]): Delivery[] {
  const isMessage = ({ kind }: Delivery) => kind === 'signal' || kind === 'update';
  return [...deliveries.filter(isMessage), ...deliveries.filter((delivery) => !isMessage(delivery))];
}
