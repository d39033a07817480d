import { currentPlanStep, readTaskState } from '../domain/context/task-state';
import { fingerprint, likeness, stepless } from '../domain/progress/fingerprint';
import { type Judgement, judgeCall, loopError } from '../domain/progress/ladder';
import type { Call, CallAnswers } from '../protocol/calls';
import type { CheckedAction } from './checked-action';
import type { ActivityDeps } from './deps';
import type { AttemptTx, Inserts } from './ledger-port';
import { observeError, type Refusal } from './observe';
import { insertUnrunTry } from './unrun-try';

type Answer = CallAnswers['act'];
type Runnable = Extract<CheckedAction, { kind: 'run' }>;
type Prints = Pick<Inserts['tool_tries'], 'fingerprint' | 'likeness' | 'stepless' | 'poll'>;

/** The beginning of an action: it is booked, and looked at for a repeat (R7.3). Once, as soon as nothing else stops it. */
export class Beginning {
  readonly print: string;
  judgement: Judgement = { rung: 'none', kind: 'repeated', repeats: 0 };
  private readonly likeness: string | undefined;
  private readonly stepless: string | undefined;
  private poll = false;

  constructor(
    private readonly deps: ActivityDeps,
    private readonly tx: AttemptTx,
    private readonly call: Call<'act'>,
    private readonly action: Runnable,
    private readonly book: () => Answer | undefined,
    public execution: number,
    planStep: string,
  ) {
    const environment = tx.attempt.snapshot ?? '';
    const { name, args, tool } = action;
    const { incidental = [] } = tool;
    const outside = tool.effect !== 'none' && !tool.workspace;
    const fingerprinted = { tool: name, args, environment, planStep, outside, incidental };
    this.print = fingerprint(fingerprinted);
    this.likeness = likeness(fingerprinted);
    this.stepless = stepless(fingerprinted);
  }

  /** By what later calls are told from this one. */
  get prints(): Prints {
    const alike = this.likeness === undefined ? {} : { likeness: this.likeness };
    const inNoStep = this.stepless === undefined ? {} : { stepless: this.stepless };
    return { fingerprint: this.print, ...alike, ...inNoStep, ...(this.poll && { poll: true as const }) };
  }

  /** Numbers this execution after those that the ledger knows of its try. */
  async countExecutions(): Promise<void> {
    const { step, index, try: tryNumber } = this.call.args;
    this.execution = ((await this.tx.toolTry(step, index, tryNumber))?.execution ?? 0) + 1;
  }

  async begin(rule: string): Promise<Answer | undefined> {
    const over = this.book();
    if (over) return over;
    const { tx, action, call } = this;
    const { index, try: tryNumber } = call.args;
    await this.judge();
    const { rung, kind, repeats } = this.judgement;
    if (rung !== 'none' && tryNumber === 1 && this.execution === 1) {
      const world = tx.attempt.snapshot === null ? {} : { snapshot: tx.attempt.snapshot };
      tx.emit({
        type: 'loop_warning',
        payload: { index, tool: action.name, repeats, intervention: rung, kind, ...world },
      });
    }
    return rung === 'replan' || rung === 'end' ? this.stop(rule) : undefined;
  }

  private async judge(): Promise<void> {
    const trail = await this.tx.trail();
    const { polling } = this.action.tool;
    const { step } = this.call.args;
    this.judgement = judgeCall({
      repeats: trail.repeats(this.print, step),
      reworded: trail.repeats(this.likeness, step),
      restepped: trail.repeatsInAnyStep(this.stepless ?? this.print, step),
      stagnation: trail.stagnation(step),
      ...(polling && { pollingLimit: polling.limit }),
    });
    this.poll = polling !== undefined && this.judgement.repeats <= polling.limit;
  }

  /** What the ladder does not let run is an observation, and a try that never ran. */
  private stop(rule: string): Answer {
    const { tx, action, call, judgement } = this;
    const stopped = refusal(action.name, judgement);
    const by = { worker: this.deps.executions.worker(), policy: this.deps.policy.version, rule };
    insertUnrunTry(tx, call.args, { execution: this.execution, ...this.prints, ...by }, stopped.failure.code);
    const observed = observeError(tx, call.args, { about: action.name, ran: false }, stopped);
    return { ...observed, ...(judgement.rung === 'end' ? { loop: true } : {}) };
  }
}

/** The step of the plan that is being done. */
export async function planStepOf(tx: AttemptTx): Promise<string> {
  return currentPlanStep(readTaskState(await tx.taskState()));
}

function refusal(tool: string, judgement: Judgement): Refusal {
  const error = loopError(judgement, tool);
  if (!error) throw new Error(`${judgement.rung} stops no call.`);
  return { ok: false, failure: { class: 'tool_business', code: error.code }, error };
}
