import { currentPlanStep, taskStateSchema } from '../domain/context/task-state';
import { fingerprint } from '../domain/progress/fingerprint';
import { type Intervention, intervention as interventionOf, loopError } from '../domain/progress/ladder';
import type { Call, CallAnswers } from '../protocol/calls';
import type { CheckedAction } from './checked-action';
import type { ActivityDeps } from './deps';
import type { AttemptTx } from './ledger-port';
import { observeError, type Refusal } from './observe';

type Answer = CallAnswers['act'];
type Runnable = Extract<CheckedAction, { kind: 'run' }>;

/** The beginning of an action: it is booked, and looked at for a repeat (R7.3). Once, as soon as nothing else stops it. */
export class Beginning {
  readonly print: string;
  intervention: Intervention = 'none';

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
    this.print = fingerprint({ tool: action.name, args: action.args, environment, planStep });
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
    const { step, index, try: tryNumber } = call.args;
    const repeats = await tx.repeats(this.print, step, index);
    this.intervention = interventionOf(repeats);
    const { intervention } = this;
    if (intervention !== 'none' && tryNumber === 1 && this.execution === 1)
      tx.emit({ type: 'loop_warning', payload: { index, tool: action.name, repeats, intervention } });
    if (intervention !== 'replan' && intervention !== 'end') return undefined;
    const stopped = repeated(action.name, intervention);
    const closed = { outcome: 'not_run', failure: stopped.failure.code } as const;
    const by = { worker: this.deps.executions.worker(), policy: this.deps.policy.version, rule };
    const key = { step, index, try: tryNumber, execution: this.execution };
    const { snapshot } = tx.attempt;
    tx.insert('tool_tries', { ...key, fingerprint: this.print, snapshot, sent: false, ...by, closed });
    const observed = observeError(tx, call.args, { about: action.name }, stopped);
    return { ...observed, ...(intervention === 'end' ? { loop: true } : {}) };
  }
}

/** The step of the plan that is being done. */
export async function planStepOf(tx: AttemptTx): Promise<string> {
  const taskState = taskStateSchema.safeParse(await tx.taskState());
  return currentPlanStep(taskState.success ? taskState.data : undefined);
}

function repeated(tool: string, intervention: Intervention): Refusal {
  const error = loopError(intervention, tool);
  if (!error) throw new Error(`${intervention} stops no call.`);
  return { ok: false, failure: { class: 'tool_business', code: error.code }, error };
}
