import type { AttemptInput, AttemptResult } from '../../../src/protocol/attempt';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { UpdateReply } from '../../../src/protocol/messages';
import type { Command, Decision, Delivery, Task } from './decision';
import type { Process } from './process';

/** A workflow as the server knows it. */
export class Flow {
  readonly runs: { readonly input: AttemptInput; readonly seed: number; readonly history: Task[] }[];
  /** What came and is in no accepted task. */
  queue: Delivery[] = [];
  readonly activities = new Map<number, Activity>();
  /** The task that is being decided. */
  task: TaskInFlight | undefined;
  dispatched = false;
  /** A task is due although nothing came: a run has begun, or a task was taken away. */
  due = true;
  sticky: { readonly process: Process; readonly decision: Decision } | undefined;
  result: AttemptResult | undefined;
  /** Signals that the server has taken, of all runs. */
  signals = 0;
  /** Of updates, by their id. */
  readonly replies = new Map<string, UpdateReply>();
  /** What the server will do to it, by faults of the schedule. */
  refusals = 0;
  losses = 0;
  lostReports = 0;
  redecisions = 0;

  constructor(
    readonly name: string,
    readonly ref: AttemptRef,
    input: AttemptInput,
    seed: number,
  ) {
    this.runs = [{ input, seed, history: [] }];
  }

  get open(): Flow['runs'][number] {
    const run = this.runs.at(-1);
    if (!run) throw new Error('A workflow without a run.');
    return run;
  }
}

export interface TaskInFlight {
  readonly process: Process;
  task: Task;
  decision: Decision | undefined;
  readonly controllers: Map<number, AbortController>;
  /** The server was told of a part of it, and the rest waits for what else came. */
  beating: boolean;
  readonly buffered: (() => Promise<void>)[];
  reported: boolean;
}

export interface Activity {
  readonly command: Extract<Command, { kind: 'call' }>;
  process: Process | undefined;
  readonly controller: AbortController;
  cancelled: boolean;
}

/** In one activation a workflow sees its messages before its results, whatever their order in history. */
export function messagesFirst(deliveries: readonly Delivery[]): Delivery[] {
  const isMessage = ({ kind }: Delivery) => kind === 'signal' || kind === 'update';
  return [...deliveries.filter(isMessage), ...deliveries.filter((delivery) => !isMessage(delivery))];
}
