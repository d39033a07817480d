import { chargeToolCall, noteToolResult } from '../domain/budget/reserve';
import { currentPlanStep, taskStateSchema } from '../domain/context/task-state';
import { headTail, inlineBytesMax } from '../domain/context/truncate';
import { failed } from '../domain/failure/failed';
import { isRetried } from '../domain/failure/reactions';
import { fingerprint } from '../domain/progress/fingerprint';
import { type Intervention, intervention as interventionOf, loopError } from '../domain/progress/ladder';
import type { Answered, Call, CallAnswers } from '../protocol/calls';
import { actionId } from '../protocol/ids';
import { charge, chargeActiveTime } from './budget';
import { type CheckedAction, checkAction } from './checked-action';
import type { ActivityDeps } from './deps';
import type { AttemptRow, AttemptTx, OpenTry, StoredBody } from './ledger-port';
import { numbered, type Opened, type OpenFacts } from './numbered-call';
import { ArtifactError, type ToolResult } from './ports';
import { runTool, type ToolOutcome } from './tool-run';

type Answer = CallAnswers['act'];
interface Work {
  readonly attempt: AttemptRow;
  readonly execution: number;
  readonly intervention: Intervention;
}
interface Result extends ToolOutcome {
  /** What the model is shown. */
  readonly text: string;
  /** The whole of it, where that is too long to show. */
  readonly stored?: StoredBody;
}

/** One try of one action: checks it, opens the try, runs the tool, and records what was seen. */
export function createAct(deps: ActivityDeps) {
  return async (call: Call<'act'>, signal: AbortSignal): Promise<Answered<'act'>> => {
    const action = await checkAction(deps, call);

    return numbered<'act', Work, Result>(deps, 'act', call, signal, {
      takes: 'all',
      open: (tx, facts) => open(tx, call, action, facts),
      sent: async (tx) => isWrite(action) && (await openTry(tx, call)) !== undefined,
      work: async (work, abort) => {
        if (action.kind !== 'run') throw new Error('Only an action that runs has work.');
        const key = `${call.ref.tenant}/${actionId(call.ref.id, call.args.step, call.args.index)}`;
        const outcome = await runTool(deps, work.attempt, action.tool, action.args, key, abort);
        return shown(deps, call.ref.tenant, action.name, outcome, work.intervention);
      },
      close: (tx, work, result) => close(tx, call, action, work, result),
      cancelled: (tx, work, take) => cancelled(tx, call, action, work, take),
    });
  };
}

async function open(
  tx: AttemptTx,
  call: Call<'act'>,
  action: CheckedAction,
  { cancel, takeover, sent }: OpenFacts,
): Promise<Opened<Answer, Work>> {
  const { step, index, try: tryNumber } = call.args;
  const previous = takeover ? await openTry(tx, call) : undefined;
  if (previous) tx.closeToolTry({ step, index, try: tryNumber, execution: previous.execution }, { outcome: 'lost' });
  if (cancel && sent) return { answer: observeStopped(tx, call, action) };
  if (cancel || tx.attempt.ended) return { answer: { kind: 'interrupted' } };
  const late = chargeActiveTime(tx, call.activeMs);
  if (late) return { answer: late };
  const first = tryNumber === 1 && !previous;
  const over = first ? charge(tx, chargeToolCall(tx.attempt.account, tx.attempt.limits, action.name)) : undefined;
  if (over) return { answer: over };
  if (action.kind === 'refused') return { answer: observe(tx, call, action, action.result, errorText(action.result)) };
  if (action.kind === 'plan') return { answer: installPlan(tx, call, action) };

  const print = fingerprint({
    tool: action.name,
    args: action.args,
    environment: tx.attempt.snapshot ?? '',
    planStep: await planStep(tx),
  });
  const repeats = await tx.repeats(print, step, index);
  const intervention = interventionOf(repeats);
  if (intervention !== 'none' && first) {
    tx.emit({ type: 'loop_warning', payload: { index, tool: action.name, repeats, intervention } });
  }
  const execution = (previous?.execution ?? 0) + 1;
  const opened = { step, index, try: tryNumber, execution, fingerprint: print };
  if (intervention === 'replan' || intervention === 'end') {
    const stopped = repeated(action.name, intervention);
    const closed = { outcome: 'error', failure: stopped.failure.code } as const;
    tx.insert('tool_tries', { ...opened, sent: false, closed });
    return {
      answer: {
        ...observe(tx, call, action, stopped, errorText(stopped)),
        ...(intervention === 'end' ? { loop: true } : {}),
      },
    };
  }
  tx.insert('tool_tries', { ...opened, sent: action.tool.effect !== 'none' });
  tx.emit({ type: 'action_started', payload: { index, tool: action.name, try: tryNumber } });
  return { work: { attempt: tx.attempt, execution, intervention } };
}

/** The step of the plan that is being done. */
async function planStep(tx: AttemptTx): Promise<string> {
  const taskState = taskStateSchema.safeParse(await tx.taskState());
  return currentPlanStep(taskState.success ? taskState.data : undefined);
}

function close(
  tx: AttemptTx,
  call: Call<'act'>,
  action: CheckedAction,
  work: Work,
  { result, snapshot, text, stored }: Result,
): Answer {
  if (stored) tx.keepArtifact(stored);
  const key = { step: call.args.step, index: call.args.index, try: call.args.try, execution: work.execution };
  if (!result.ok && isRetried(result.failure, key.try)) {
    tx.closeToolTry(key, { outcome: 'transient', failure: result.failure.code });
    tx.emit({ type: 'tool_retry', payload: { index: key.index, code: result.failure.code, try: key.try } });
    return { kind: 'failed', failure: result.failure };
  }
  tx.closeToolTry(key, result.ok ? { outcome: 'ok' } : { outcome: 'error', failure: result.failure.code });
  const observed = observe(tx, call, action, result, text, snapshot);
  // R8.6: the model can do nothing about it, so the workflow stops and a person is shown it too.
  return !result.ok && result.failure.class === 'unrecoverable'
    ? { kind: 'failed', failure: result.failure }
    : observed;
}

/** Records what the model will see of an action. */
function observe(
  tx: AttemptTx,
  call: Call<'act'>,
  action: CheckedAction,
  result: ToolResult,
  text: string,
  snapshot?: string,
): { kind: 'observed'; ok: boolean } {
  const { step, index } = call.args;
  const bytes = Buffer.byteLength(text);
  const moved = snapshot !== undefined && snapshot !== tx.attempt.snapshot;
  tx.insert('observations', {
    step,
    index,
    ok: result.ok,
    body: { text },
    tokens: Math.ceil(bytes / 4),
    snapshot: snapshot ?? null,
  });
  tx.update({
    account: noteToolResult(tx.attempt.account, action.name, result.ok),
    ...(snapshot === undefined ? {} : { snapshot }),
  });
  tx.emit({
    type: 'action_finished',
    payload: {
      index,
      tool: action.name,
      ok: result.ok,
      ...(result.ok ? {} : { code: result.failure.code }),
      ...(moved ? { snapshot } : {}),
      bytes,
    },
  });
  return { kind: 'observed', ok: result.ok };
}

function installPlan(tx: AttemptTx, call: Call<'act'>, action: Extract<CheckedAction, { kind: 'plan' }>): Answer {
  tx.insert('task_states', { n: call.n, body: action.plan });
  return observe(tx, call, action, { ok: true, output: 'Plan updated.' }, 'Plan updated.');
}

/** M5: a read is interrupted. A write was sent: its answer is the effect's, and the cancel is left for the next call. */
function cancelled(tx: AttemptTx, call: Call<'act'>, action: CheckedAction, work: Work, take: () => void): Answer {
  const key = { step: call.args.step, index: call.args.index, try: call.args.try, execution: work.execution };
  tx.closeToolTry(key, { outcome: 'interrupted' });
  if (!isWrite(action)) {
    take();
    return { kind: 'interrupted' };
  }
  return observeStopped(tx, call, action);
}

/** A write that a cancel broke off: what the model and whoever reads the attempt is told of it. */
function observeStopped(tx: AttemptTx, call: Call<'act'>, action: CheckedAction): Answer {
  const kept =
    action.kind === 'run' && action.tool.workspace
      ? 'none of its changes to the workspace were kept'
      : 'whether it took effect is not known';
  const stopped = failed(
    { class: 'tool_business', code: 'CANCELLED' },
    `${action.name} was stopped by a cancel; ${kept}.`,
    'None; the attempt is being cancelled.',
  );
  return observe(tx, call, action, stopped, errorText(stopped));
}

const isWrite = (action: CheckedAction) => action.kind === 'run' && action.tool.effect !== 'none';

/** The newest execution of this try, where it is open. */
async function openTry(tx: AttemptTx, { args }: Call<'act'>): Promise<OpenTry | undefined> {
  const last = await tx.toolTry(args.step, args.index, args.try);
  return last?.closed ? undefined : last;
}

function repeated(tool: string, intervention: Intervention): Extract<ToolResult, { ok: false }> {
  const error = loopError(intervention, tool);
  if (!error) throw new Error(`${intervention} stops no call.`);
  return { ok: false, failure: { class: 'tool_business', code: error.code }, error };
}

/** What the model sees. An output that cannot be kept makes the try a failed one, so that nothing of it is lost unseen. */
async function shown(
  deps: ActivityDeps,
  tenant: string,
  tool: string,
  outcome: ToolOutcome,
  intervention: Intervention,
): Promise<Result> {
  const { result } = outcome;
  const notice = loopError(intervention, tool);
  const warning = notice ? `\n\n${JSON.stringify(notice)}` : '';
  const text = result.ok ? result.output : errorText(result);
  const bytes = Buffer.from(text);
  if (bytes.length <= inlineBytesMax) return { ...outcome, text: text + warning };
  try {
    const stored = { hash: await deps.artifacts.put(tenant, bytes), bytes: bytes.length };
    return { ...outcome, text: headTail(text, inlineBytesMax, stored.hash) + warning, stored };
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    const lost = failed(error.failure, `${error.message} The output of ${tool} was not kept.`, error.suggestedAction);
    return { result: lost, text: errorText(lost) };
  }
}

const errorText = (result: Extract<ToolResult, { ok: false }>) => JSON.stringify({ ok: false, error: result.error });
