import type { AttemptInput, StartSnapshot } from '../../../src/protocol/attempt';
import type { RunState } from '../../../src/workflows/run/run-state';
import { decide, moves } from './decide';
import type { Decision, Delivery, Task } from './fake-engine';
import { FakeLedger, type Script } from './fake-ledger';
import { input } from './inputs';

const quick = { models: [{ name: 'main', quick: true, timeoutMs: 1_000 }] };

/** One attempt, task after task, as a server without trouble brings them; a run that is cut goes on in the next one. */
export class Story {
  readonly ledger: FakeLedger;
  readonly runs: AttemptInput[];
  private tasks: Task[] = [];
  private decision: Decision | undefined;

  private constructor(script: Script, change: Partial<StartSnapshot>) {
    this.ledger = new FakeLedger(script);
    this.runs = [input({ ...quick, ...change })];
  }

  /** Up to where it waits. */
  static async of(script: Script, change: Partial<StartSnapshot> = {}): Promise<Story> {
    const story = new Story(script, change);
    await story.next();
    return story;
  }

  /** The next workflow task, with what came. */
  async next(...delivered: Delivery[]): Promise<this> {
    const run = this.runs.at(-1) as AttemptInput;
    this.decision = await decide(run, this.ledger, this.tasks, ...delivered);
    this.tasks.push(this.decision.live);
    const { outcome } = this.decision;
    if (!outcome || !('newInput' in outcome)) return this;
    this.runs.push(outcome.newInput);
    this.tasks = [];
    return await this.next();
  }

  /** The timer that waits, and nothing else, has fired. */
  async fire(): Promise<this> {
    const [seq] = this.latest.open.timers;
    if (seq === undefined) throw new Error('no timer waits');
    return await this.next({ kind: 'fired', seq });
  }

  /** The regular call in flight is answered. */
  async answer(): Promise<this> {
    const [call] = this.latest.open.calls;
    if (!call) throw new Error('no call is in flight');
    return await this.next({ kind: 'result', seq: call.seq, result: { answered: call.execute(this.ledger) } });
  }

  get latest(): Decision {
    if (!this.decision) throw new Error('nothing was decided');
    return this.decision;
  }
  get state(): RunState {
    return this.latest.run.state;
  }
  get moves(): string[] {
    return moves(this.ledger);
  }
  /** Arguments of every call of a kind, in order. */
  argsOf(kind: string): unknown[] {
    return this.ledger.moves.filter((move) => move.kind === kind).map(({ args }) => args);
  }
  /** How long the wait is that began last, ms. */
  get sleepMs(): number | undefined {
    return [...this.latest.timers.values()].at(-1);
  }
  get result(): unknown {
    const { outcome } = this.latest;
    return outcome && 'result' in outcome ? outcome.result : undefined;
  }
}

/** Answers in the order given, each to one call; the last one stands for all that follow. */
export function inTurn<A>(...answers: A[]): () => A {
  let next = 0;
  return () => {
    const answer = answers[Math.min(next, answers.length - 1)] as A;
    next += 1;
    return answer;
  };
}
