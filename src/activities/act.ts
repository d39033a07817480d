import { chargeToolCall } from '../domain/budget/reserve';
import { type Effect, isOpen } from '../domain/effect/effect';
import { failed } from '../domain/failure/failed';
import type { Judgement } from '../domain/progress/ladder';
import type { Answered, Call, CallAnswers } from '../protocol/calls';
import { Beginning, planStepOf } from './beginning';
import { charge, chargeActiveTime } from './budget';
import { type CheckedAction, checkAction } from './checked-action';
import { type ChildLook, closeChild, openChild } from './children/act-on-child';
import { beginChild } from './children/begin-child';
import { childPending } from './children/child-pending';
import { type ChildFound, childResult } from './children/child-result';
import type { ActivityDeps } from './deps';
import { authorise } from './effects/authorise';
import { closeWrite } from './effects/close-write';
import { giveBack } from './effects/give-back';
import { observeKnown } from './effects/known-outcome';
import { keepLate } from './effects/late';
import { openWrite } from './effects/open-write';
import { type Claimed, type SendAnswer, type Sent, send, spend } from './effects/send';
import { leaveUnknown } from './effects/unknown';
import { isOverruled, refuseOverruled } from './goal-revised';
import type { Place } from './job-rows';
import { closeJob, type JobLook, jobResult, openJob } from './jobs/act-on-job';
import { askJob, type JobFound } from './jobs/ask-job';
import { pending } from './jobs/await-job';
import type { AttemptRow, AttemptTx, OpenTry } from './ledger-port';
import { noteConflict, noteLook, refuseUntilLook } from './looks';
import { numbered, type Opened, type OpenFacts, type Stop } from './numbered-call';
import { deny, observe, observeError } from './observe';
import type { ReadTool, WorkspaceTool, WriteTool } from './ports';
import { type Shown, shown } from './shown';
import { type RunLimits, runTool, type ToolOutcome } from './tool-run';
import { orStopped, tryAgain } from './try-again';

type Answer = CallAnswers['act'];
type Runnable = Extract<CheckedAction, { kind: 'run' }>;

/** What one execution does: a run of a tool that changes nothing outside, or one send. */
type Work = JobLook | ChildLook | TryWork;
type TryWork = { readonly judgement: Judgement } & (
  | {
      readonly kind: 'run';
      readonly attempt: AttemptRow;
      readonly tool: ReadTool | WorkspaceTool;
      readonly args: unknown;
      readonly limits: RunLimits;
      readonly execution: number;
    }
  | { readonly kind: 'send'; readonly claimed: Claimed }
);
type Result =
  | (ToolOutcome & Shown & { readonly kind: 'run' })
  | (Partial<Shown> & { readonly kind: 'send'; readonly sent: Sent })
  | (Partial<ToolOutcome & Shown> & { readonly kind: 'job'; readonly found: JobFound })
  | (Shown & { readonly kind: 'child'; readonly found: ChildFound });

const isAt = (one: Place, { step, index }: Place) => one.step === step && one.index === index;

/** A look at a job or child is no call that could repeat another. */
const unjudged: Judgement = { rung: 'none', kind: 'repeated', repeats: 0 };

/** One try of one action: checks it, authorises it, opens the try, runs the tool, and records what was seen (R4.1). */
export function createAct(deps: ActivityDeps) {
  return async (call: Call<'act'>, signal: AbortSignal): Promise<Answered<'act'>> => {
    const action = await checkAction(deps, call);

    const answered = await numbered<'act', Work, Result>(deps, 'act', call, signal, {
      takes: 'acting',
      workspace: action.kind === 'run' && 'workspace' in action.tool && action.tool.workspace,
      open: (tx, facts) => open(deps, tx, call, action, facts),
      sent: (tx, takeover) => wasSent(tx, call, action, takeover),
      work: (work, abort) => perform(deps, call, action, work, abort),
      close: (tx, work, result) => close(deps, tx, call, work, result),
      cancelled: (tx, work, stop) => cancelled(tx, call, action, work, stop),
      async late(tx, work, result) {
        if (work.kind === 'send' && result.kind === 'send' && result.sent.kind === 'answered')
          await keepLate(tx, lateSend(work.claimed), result.sent.result);
      },
    });
    if (action.kind === 'delegate') deps.soon?.();
    return answered;
  };
}

async function open(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  action: CheckedAction,
  facts: OpenFacts,
): Promise<Opened<Answer, Work>> {
  const { step, index, try: tryNumber } = call.args;
  const { cancel, suspend, takeover, sent } = facts;
  const previous = takeover ? await openTry(tx, call) : undefined;
  if (previous) tx.closeToolTry({ step, index, try: tryNumber, execution: previous.execution }, { outcome: 'lost' });
  const write = writeOf(action);
  // R4.5: what was sent is told as it is, whatever has become of its tool.
  const done = action.kind === 'refused' ? (await tx.effectOf(step, index))?.effect : undefined;
  if (tx.attempt.ended) return { answer: { kind: 'interrupted' } };
  if (cancel || suspend) {
    if (!sent) return { answer: { kind: 'interrupted', ...(cancel ? {} : { suspend: true }) } };
    if (!write && !done) return { answer: observeStopped(tx, call, action) };
  }
  if (action.kind === 'judged') return { answer: { kind: 'observed', ok: true } };
  const child = action.kind === 'delegate' && (await tx.openChildren()).find((one) => isAt(one, call.args));
  if (child) return openChild(call, child);
  if (isOverruled(tx, step)) {
    const own = write ? (await tx.effectOf(step, index))?.effect : done;
    if (!own?.sentAt) return { answer: refuseOverruled(deps.policy, tx, call.args, action.name, own) };
  }
  const job = (write?.job || done) && (await tx.job({ step, index }));
  if (job) return openJob(call, write ?? writeNamed(deps, action.name), job, facts);
  if (done?.sentAt) return await leftBySent(deps, tx, call, action.name, done, facts);
  if (done?.phase === 'CLAIMED') giveBack(tx, done);
  const late = write && sent ? undefined : chargeActiveTime(tx, call.activeMs);
  if (late) return { answer: late };
  const first = !previous && !(await wasTried(tx, call));
  const book = () =>
    first ? charge(tx, chargeToolCall(tx.attempt.account, tx.attempt.limits, action.name)) : undefined;
  if (action.kind === 'run') {
    const begin = new Beginning(deps, tx, call, action, book, (previous?.execution ?? 0) + 1, await planStepOf(tx));
    if (!write) return openRun(deps, tx, call, action, begin);
    const opened = await openWrite({ deps, tx, call, action, tool: write, facts, begin });
    if (!opened.work) return opened as Opened<Answer, never>;
    return { work: { kind: 'send', claimed: opened.work, judgement: begin.judgement } };
  }
  const over = book();
  if (over) return { answer: over };
  if (action.kind === 'delegate') return { answer: await beginChild(deps.tools, tx, call, action) };
  if (action.kind === 'plan') return { answer: installPlan(tx, call, action) };
  return { answer: observeError(tx, call.args, { about: action.name }, action.result) };
}

/** A read, or a change of the attempt's own worktree: authorised like any action, and owned by the move alone (E10). */
async function openRun(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  action: Runnable,
  begin: Beginning,
): Promise<Opened<Answer, Work>> {
  const tool = action.tool as ReadTool | WorkspaceTool;
  const target = tool.workspace ? 'workspace' : tool.name;
  const authorised = await authorise({ deps, tx, call, action, target });
  if (authorised.kind === 'ask')
    return { answer: { kind: 'needs_approval', binding: authorised.binding, expiresAt: authorised.expiresAt } };
  // After an approval the same try may have been begun, and lost, before.
  if (authorised.kind === 'allowed' && authorised.approval) await begin.countExecutions();
  const stopped = await begin.begin(authorised.rule);
  if (stopped) return { answer: stopped };
  const { execution, judgement } = begin;
  const by = { policy: deps.policy.version, worker: deps.executions.worker(), execution };
  if (authorised.kind === 'stale') {
    const { rule } = authorised;
    return { answer: refuseUntilLook(tx, call.args, action.name, { ...begin.prints, ...by, rule }) };
  }
  if (authorised.kind === 'denied') return { answer: deny(tx, call.args, action.name, authorised, begin.prints, by) };

  const { step, index, try: tryNumber } = call.args;
  const { rule, approval, timeLimitMs, readOnlyRole } = authorised;
  const sent = tool.effect !== 'none';
  if (approval && approval.state !== 'spent') spend(tx, call, approval.ordinal);
  tx.insert('tool_tries', {
    step,
    index,
    try: tryNumber,
    ...begin.prints,
    snapshot: tx.attempt.snapshot,
    sent,
    rule,
    ...by,
  });
  tx.emit({ type: 'action_started', payload: { index, tool: action.name, try: tryNumber } });
  if (tool.effect === 'none' && tool.protected) {
    const { argsHash } = action;
    tx.emit(
      { type: 'protected_read', payload: { index, tool: tool.name, argsHash, try: tryNumber, execution } },
      'auditor',
    );
  }
  const limits = { ...(timeLimitMs === undefined ? {} : { timeLimitMs }), ...(readOnlyRole && { readOnlyRole }) };
  return { work: { kind: 'run', attempt: tx.attempt, tool, args: action.args, limits, execution, judgement } };
}

async function perform(
  deps: ActivityDeps,
  call: Call<'act'>,
  action: CheckedAction,
  work: Work,
  signal: AbortSignal,
): Promise<Result> {
  const { tenant } = call.ref;
  if (work.kind === 'job') {
    const found = await askJob(deps, tenant, work.tool, work.job, work.overdue, signal);
    const result = jobResult(work, found);
    return { kind: 'job', found, ...(result && (await shown(deps, tenant, action.name, { result }, unjudged))) };
  }
  if (work.kind === 'child') {
    const found = await childResult(deps, work.child.ref);
    return { kind: 'child', found, ...(await shown(deps, tenant, action.name, { result: found.result }, unjudged)) };
  }
  if (work.kind === 'run') {
    const outcome = await runTool(deps, work.attempt, work.tool, work.args, work.limits, signal);
    return { kind: 'run', ...(await shown(deps, tenant, action.name, outcome, work.judgement)) };
  }
  const onLate = (result: SendAnswer) =>
    void deps.ledger
      .transact(call.ref, { n: call.n }, (tx) => keepLate(tx, lateSend(work.claimed), result))
      .catch(() => undefined); // It is UNKNOWN all the same, and is reconciled.
  const sent = await send(deps, call, work.claimed, signal, onLate);
  if (sent.kind !== 'answered' || sent.result.kind !== 'committed') return { kind: 'send', sent };
  const result = { ok: true, output: sent.result.output } as const;
  const { text, notice, stored } = await shown(deps, tenant, action.name, { result }, work.judgement);
  return { kind: 'send', sent, text, ...(notice && { notice }), ...(stored && { stored }) };
}

async function close(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  work: Work,
  result: Result,
): Promise<Answer> {
  if (result.stored) tx.keepArtifact(result.stored);
  if (work.kind === 'send' && result.kind === 'send') {
    const { sent, text = '', notice = '' } = result;
    return await closeWrite(deps, tx, call, work.claimed, sent.kind === 'answered' ? { ...sent, text, notice } : sent);
  }
  if (work.kind === 'job' && result.kind === 'job')
    return closeJob(tx, call, work, result.found, result.result, result.text ?? '');
  if (work.kind === 'child' && result.kind === 'child')
    return closeChild(tx, call.args, work, result.found, result.text);
  if (work.kind !== 'run' || result.kind !== 'run') throw new Error('A result of another kind of work.');
  return await closeRun(tx, call, work, result);
}

async function closeRun(
  tx: AttemptTx,
  call: Call<'act'>,
  work: Extract<Work, { kind: 'run' }>,
  { result, snapshot, bundle, text, notice }: Extract<Result, { kind: 'run' }>,
): Promise<Answer> {
  const { tool, execution } = work;
  const key = { step: call.args.step, index: call.args.index, try: call.args.try, execution };
  const again = result.ok ? undefined : tryAgain(tx, key, result.failure);
  if (again) return again;
  await tellRepeatedRead(tx, key, work);
  tx.closeToolTry(key, result.ok ? { outcome: 'ok' } : { outcome: 'error', failure: result.failure.code });
  if (bundle) tx.keepBundle(bundle);
  const observed = observe(tx, call.args, { of: tool }, result, text, snapshot, notice);
  if (result.ok) {
    noteLook(tx, tool, work.args, key.step);
    return observed;
  }
  if (result.failure.class === 'state_conflict') noteConflict(tx, tool);
  return orStopped(tx, { index: key.index, tool: tool.name }, result, observed);
}

/** R9.3: a read that took more than one try says which snapshot it saw, and whether an earlier try had acted on another. */
async function tellRepeatedRead(
  tx: AttemptTx,
  { step, index, try: tryNumber, execution }: { step: number; index: number; try: number; execution: number },
  { tool, attempt: { snapshot } }: Extract<Work, { kind: 'run' }>,
): Promise<void> {
  if (tool.effect !== 'none' || !tool.workspace || snapshot === null || (tryNumber === 1 && execution === 1)) return;
  const seen = await tx.triedSnapshots(step, index);
  const drift = seen.some((before) => before !== snapshot);
  tx.emit({ type: 'read_repeated', payload: { index, tool: tool.name, snapshot, ...(drift && { drift }) } });
}

function installPlan(tx: AttemptTx, call: Call<'act'>, action: Extract<CheckedAction, { kind: 'plan' }>): Answer {
  const { step, index } = call.args;
  tx.insert('task_states', { n: call.n, body: action.plan, step, index });
  return observe(tx, call.args, { about: action.name }, { ok: true, output: 'Plan updated.' }, 'Plan updated.');
}

/** M5: what was not sent is interrupted. A change of the worktree was: its answer says what became of it. */
async function cancelled(
  tx: AttemptTx,
  call: Call<'act'>,
  action: CheckedAction,
  work: Work,
  stop: Stop,
): Promise<Answer> {
  if (work.kind === 'job') return pending(work.job);
  if (work.kind === 'child') return childPending(call, work.child.ref);
  if (work.kind === 'send') {
    tx.closeToolTry(work.claimed.try, { outcome: 'interrupted' });
    const effect = await tx.effect(work.claimed.ref);
    if (effect?.phase === 'UNKNOWN') return { kind: 'unknown' };
    if (effect && effect.fence === work.claimed.fence) giveBack(tx, effect);
  } else {
    const key = { step: call.args.step, index: call.args.index, try: call.args.try, execution: work.execution };
    tx.closeToolTry(key, { outcome: 'interrupted' });
    if (work.tool.effect !== 'none') return observeStopped(tx, call, action);
  }
  await stop.take();
  return stop.interrupted;
}

/** A change of the worktree that a stop broke off: what the model and whoever reads the attempt is told of it. */
function observeStopped(tx: AttemptTx, call: Call<'act'>, action: CheckedAction): Answer {
  const stopped = failed(
    { class: 'tool_business', code: 'STOPPED' },
    `${action.name} was stopped by a person; none of its changes to the workspace were kept.`,
    'None; the attempt is being stopped.',
  );
  return observeError(tx, call.args, { about: action.name, ran: false }, stopped);
}

/** Whether an effect may have been taken under this action. Without a takeover only the effect log knows of any. */
async function wasSent(tx: AttemptTx, call: Call<'act'>, action: CheckedAction, takeover: boolean): Promise<boolean> {
  if (action.kind !== 'refused' && (action.kind !== 'run' || action.tool.effect === 'none')) return false;
  if (action.kind === 'refused' || writeOf(action))
    return (await tx.effectOf(call.args.step, call.args.index))?.effect.sentAt != null;
  return takeover && (await openTry(tx, call)) !== undefined;
}

/**
 * The tool of an action that was sent is not here any more, or would not take these arguments now: what is known of the
 * effect is told, and nothing is sent.
 */
async function leftBySent(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  name: string,
  effect: Effect,
  { patient }: OpenFacts,
): Promise<Opened<Answer, never>> {
  if (effect.phase === 'SENT' && effect.ownerLive && patient) return { busy: true };
  if (isOpen(effect)) return { answer: leaveUnknown(tx, call, effect, 'TOOL_CHANGED') };
  return { answer: await observeKnown(tx, call, deps.tools.get(name) ?? { name }, effect) };
}

function writeNamed(deps: ActivityDeps, name: string): WriteTool | undefined {
  const tool = deps.tools.get(name);
  return tool && 'send' in tool ? tool : undefined;
}

function writeOf(action: CheckedAction): WriteTool | undefined {
  return action.kind === 'run' && 'send' in action.tool ? action.tool : undefined;
}

const lateSend = ({ ref, fence, try: key, tool }: Claimed) => ({
  ref,
  fence,
  try: key,
  finalRefusal: tool.rejectionIsFinalForKey === true,
});

/** A call of a tool is booked once, with its first try; what was stopped or had to wait before it began had none. */
async function wasTried(tx: AttemptTx, { args: { step, index, try: tryNumber } }: Call<'act'>): Promise<boolean> {
  for (let earlier = tryNumber - 1; earlier > 0; earlier -= 1) if (await tx.toolTry(step, index, earlier)) return true;
  return false;
}

/** The newest execution of this try, where it is open. */
async function openTry(tx: AttemptTx, { args }: Call<'act'>): Promise<OpenTry | undefined> {
  const last = await tx.toolTry(args.step, args.index, args.try);
  return last?.closed ? undefined : last;
}
