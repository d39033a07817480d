import { CancelledFailure } from '@temporalio/common';
import type { Answered, Call, CallKind } from '../../../src/protocol/calls';
import { seeded } from '../../support/seeded';
import { type Command, Decision, type Delivery, describeWork, type Result, type Task } from './decision';
import { activityFailure, bugIn, failureOf, timeoutFailure } from './failures';
import { type Activity, type Flow, messagesFirst, type TaskInFlight } from './flow';
import type { Process } from './process';
import { elsewhere, type Scheduler } from './scheduler';

/** Temporal's own limits, ms. */
const taskTimeoutMs = 10_000;
const heartbeatTimeoutMs = 3_000;
/** A task that nobody takes is offered again. */
const offerAgainMs = 1_000;
/** How often a task goes to a process that is stopped just then, and to the one that has the run in memory. */
const stoppedShare = 0.1;
const stickyShare = 0.8;

export interface ServerEvents {
  /** Each numbered call of each decision. */
  onCall(flow: Flow, kind: CallKind, call: Call): void;
  /** The workflow code threw: a bug, whatever it was. */
  onBug(flow: Flow, error: unknown): void;
  /** An activity threw what none should. */
  onThrown(flow: Flow, what: string): void;
}

/**
 * What Temporal does for attempts: it keeps histories, hands out tasks, and takes them away from who is not heard of.
 *
 *   I1  A task that was taken away is decided anew, with the messages that came meanwhile first; who had it may go on, and
 *       its report is refused.
 *   I2  A task that would close a run while something came is refused too.
 *   I3  An activity has one result: the first report, or a timeout.
 */
export class Server {
  readonly flows: Flow[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    private readonly processes: () => readonly Process[],
    private readonly events: ServerEvents,
  ) {}

  start(flow: Flow): void {
    this.flows.push(flow);
    this.offer(flow);
  }

  /** False where the workflow is closed. */
  deliver(flow: Flow, delivery: Delivery): boolean {
    if (flow.result) return false;
    flow.queue.push(delivery);
    this.offer(flow);
    return true;
  }

  /** I1: the server takes a task away, although its process may run. */
  lose(flow: Flow): void {
    const { task } = flow;
    if (!task) return;
    flow.task = undefined;
    flow.sticky = undefined;
    flow.redecisions += 1;
    flow.due = true;
    flow.queue = messagesFirst([...task.task.delivered, ...flow.queue]);
    this.offer(flow);
  }

  private offer(flow: Flow): void {
    if (flow.result || flow.task || flow.dispatched || (flow.queue.length === 0 && !flow.due)) return;
    flow.dispatched = true;
    this.scheduler.soon(elsewhere, `offers a task of ${flow.name}`, () => this.dispatch(flow));
  }

  private dispatch(flow: Flow): void {
    flow.dispatched = false;
    const process = this.draw(flow.sticky?.process);
    if (!process) {
      flow.dispatched = true;
      this.scheduler.later(elsewhere, offerAgainMs, `offers again a task of ${flow.name}`, () => this.dispatch(flow));
      return;
    }
    const delivered = messagesFirst(flow.queue);
    flow.queue = [];
    const task: Task = {
      nowMs: this.scheduler.nowMs,
      suggestsNewRun: this.scheduler.chance(0.05),
      delivered,
      locals: [],
      commands: [],
    };
    const inFlight: TaskInFlight = {
      process,
      task,
      decision: undefined,
      controllers: new Map(),
      beating: false,
      buffered: [],
      reported: false,
    };
    flow.task = inFlight;
    const cached = flow.sticky?.process === process ? flow.sticky.decision : undefined;
    flow.sticky = undefined;
    const { input, seed, history } = flow.open;
    const past = [...history];
    this.scheduler.soon(process, `decides ${flow.name}`, () =>
      this.guarded(flow, async () => {
        const decision =
          cached ??
          new Decision(input, past[0] ?? task, seeded(seed), (kind, call) => this.events.onCall(flow, kind, call));
        inFlight.decision = decision;
        if (!cached) await decision.replay(past);
        await decision.begin(inFlight.task);
        this.goOn(flow, inFlight);
      }),
    );
    this.watch(flow, inFlight);
  }

  private draw(sticky: Process | undefined): Process | undefined {
    if (sticky?.state === 'running' && this.scheduler.chance(stickyShare)) return sticky;
    const alive = this.processes().filter(({ state }) => state !== 'gone');
    const stopped = alive.filter(({ state }) => state === 'stopped');
    if (stopped.length > 0 && this.scheduler.chance(stoppedShare)) return this.scheduler.pick(stopped);
    return this.scheduler.pick(alive.filter(({ state }) => state === 'running'));
  }

  /** A task whose process is not heard of is taken away; one that works on is told of what else came. */
  private watch(flow: Flow, inFlight: TaskInFlight): void {
    this.scheduler.later(elsewhere, taskTimeoutMs, `looks after a task of ${flow.name}`, () => {
      if (flow.task !== inFlight) return;
      if (inFlight.process.state !== 'running') {
        this.lose(flow);
        return;
      }
      if (inFlight.decision && !inFlight.reported && !inFlight.beating) this.beat(flow, inFlight);
      this.watch(flow, inFlight);
    });
  }

  /** What a long task has done so far becomes history, and what came meanwhile is seen. */
  private beat(flow: Flow, inFlight: TaskInFlight): void {
    const { decision } = inFlight;
    if (!decision || decision.pending.length === 0 || decision.outcome) return;
    this.acceptPart(flow, inFlight);
    inFlight.beating = true;
    this.scheduler.soon(inFlight.process, `beats ${flow.name}`, () =>
      this.guarded(flow, async () => {
        inFlight.beating = false;
        await decision.begin(inFlight.task);
        for (const resolve of inFlight.buffered.splice(0)) await resolve();
        this.goOn(flow, inFlight);
      }),
    );
  }

  private acceptPart(flow: Flow, inFlight: TaskInFlight): void {
    flow.open.history.push(inFlight.task);
    flow.due = false;
    this.carryOut(flow, inFlight);
    const delivered = messagesFirst(flow.queue);
    flow.queue = [];
    const nowMs = this.scheduler.nowMs;
    inFlight.task = { nowMs, suggestsNewRun: false, delivered, locals: [], commands: [] };
  }

  /** Starts local calls; reports the task where it waits for none. */
  private goOn(flow: Flow, inFlight: TaskInFlight): void {
    const { decision, process, controllers } = inFlight;
    if (!decision) return;
    if (decision.outcome && 'error' in decision.outcome) throw decision.outcome.error;
    for (const command of decision.commands) {
      if (command.kind === 'abort') controllers.get(command.seq)?.abort(new CancelledFailure('stopped'));
    }
    for (const local of decision.pending) {
      if (controllers.has(local.seq)) continue;
      const controller = new AbortController();
      controllers.set(local.seq, controller);
      const resolve = (result: Result) => async () => {
        await decision.resolveLocal(local.seq, result);
        this.goOn(flow, inFlight);
      };
      this.scheduler.note(process, `runs ${flow.name} ${describeWork(local.work)}`);
      void this.resultOf(flow, process.run(local.work, controller.signal), controller).then((result) =>
        this.scheduler.soon(process, `has ${flow.name} ${local.seq} ${inWords(result)}`, () =>
          this.guarded(flow, async () => {
            if (inFlight.beating) inFlight.buffered.push(resolve(result));
            else await resolve(result)();
          }),
        ),
      );
    }
    if (decision.pending.length > 0 || inFlight.reported || inFlight.beating) return;
    inFlight.reported = true;
    process.onWire(`reports a task of ${flow.name}`, () => this.complete(flow, inFlight, decision));
  }

  private complete(flow: Flow, inFlight: TaskInFlight, decision: Decision): void {
    if (flow.task !== inFlight) return; // I1
    if (flow.refusals > 0 || (decision.outcome && flow.queue.length > 0)) {
      flow.refusals = Math.max(0, flow.refusals - 1);
      this.lose(flow); // I2
      return;
    }
    flow.open.history.push(inFlight.task);
    flow.due = false;
    flow.task = undefined;
    this.carryOut(flow, inFlight);
    for (const [id, reply] of decision.replies) flow.replies.set(id, reply);
    const { outcome } = decision;
    if (!outcome) flow.sticky = { process: inFlight.process, decision };
    else if ('result' in outcome) {
      flow.result = outcome.result;
    } else if ('newInput' in outcome) {
      flow.runs.push({ input: outcome.newInput, seed: Math.floor(this.scheduler.random() * 1e9), history: [] });
      flow.due = true;
    }
    this.offer(flow);
  }

  private carryOut(flow: Flow, { decision }: TaskInFlight): void {
    for (const command of decision?.commands ?? []) this.carry(flow, command);
    if (decision) decision.commands = [];
  }

  private carry(flow: Flow, command: Command): void {
    switch (command.kind) {
      case 'timer': {
        const run = flow.open;
        this.scheduler.later(elsewhere, command.ms, `timer of ${flow.name}`, () => {
          if (flow.open === run) this.deliver(flow, { kind: 'fired', seq: command.seq });
        });
        return;
      }
      case 'abort':
        this.cancel(flow, command.seq);
        return;
      case 'call': {
        if (command.plan.lane === 'local') return;
        const activity: Activity = {
          command,
          process: undefined,
          controller: new AbortController(),
          cancelled: false,
        };
        flow.activities.set(command.seq, activity);
        this.scheduler.soon(elsewhere, `offers ${flow.name} ${describeWork(command.work)}`, () =>
          this.runActivity(flow, activity),
        );
      }
    }
  }

  private cancel(flow: Flow, seq: number): void {
    const activity = flow.activities.get(seq);
    if (!activity) return;
    activity.cancelled = true;
    const { process, controller } = activity;
    if (!process) this.finish(flow, activity, { error: activityFailure(new CancelledFailure('stopped')) });
    else
      this.scheduler.soon(process, `hears the stop of ${flow.name} ${seq}`, () =>
        controller.abort(new CancelledFailure('stopped')),
      );
  }

  private runActivity(flow: Flow, activity: Activity): void {
    const { command, controller } = activity;
    if (flow.activities.get(command.seq) !== activity) return;
    const process = this.draw(undefined);
    if (!process) {
      this.scheduler.later(elsewhere, offerAgainMs, `offers again ${flow.name} ${command.seq}`, () =>
        this.runActivity(flow, activity),
      );
      return;
    }
    activity.process = process;
    let silent = false;
    const report = (result: Result) => {
      if (flow.lostReports > 0) {
        flow.lostReports -= 1;
        silent = true;
        this.scheduler.note(process, `a report of ${flow.name} ${command.seq} is lost`);
      } else this.finish(flow, activity, result);
    };
    this.scheduler.soon(process, `runs ${flow.name} ${describeWork(command.work)}`, () => {
      void this.resultOf(flow, process.run(command.work, controller.signal), controller).then((result) =>
        process.onWire(`reports ${flow.name} ${command.seq} ${inWords(result)}`, () => report(result)),
      );
    });
    const listen = () => {
      if (flow.activities.get(command.seq) !== activity) return;
      if (process.state === 'running' && !silent)
        this.scheduler.later(elsewhere, heartbeatTimeoutMs, `listens to ${flow.name} ${command.seq}`, listen);
      else this.finish(flow, activity, { error: timeoutFailure('HEARTBEAT') });
    };
    this.scheduler.later(elsewhere, heartbeatTimeoutMs, `listens to ${flow.name} ${command.seq}`, listen);
    this.scheduler.later(elsewhere, command.plan.startToCloseMs, `limit of ${flow.name} ${command.seq}`, () =>
      this.finish(flow, activity, { error: timeoutFailure('START_TO_CLOSE') }),
    );
  }

  /** I3 */
  private finish(flow: Flow, activity: Activity, result: Result): void {
    const { seq } = activity.command;
    if (flow.activities.get(seq) !== activity) return;
    flow.activities.delete(seq);
    this.deliver(flow, { kind: 'result', seq, result });
  }

  private async resultOf(flow: Flow, running: Promise<Answered>, { signal }: AbortController): Promise<Result> {
    try {
      return { answered: await running };
    } catch (thrown) {
      const error = failureOf(thrown, signal.aborted);
      const bug = bugIn(error);
      if (bug !== undefined) this.events.onThrown(flow, bug);
      return { error };
    }
  }

  private async guarded(flow: Flow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.events.onBug(flow, error);
    }
  }
}

const inWords = (result: Result) =>
  'answered' in result ? JSON.stringify(result.answered.answer) : `${result.error.cause ?? result.error}`;
