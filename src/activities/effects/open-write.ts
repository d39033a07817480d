import { type Claim, decideClaim } from '../../domain/effect/claim';
import { type Effect, idempotencyKey } from '../../domain/effect/effect';
import { failed } from '../../domain/failure/failed';
import type { Call, CallAnswers } from '../../protocol/calls';
import type { Beginning } from '../beginning';
import type { CheckedAction } from '../checked-action';
import { writeCheckpoint } from '../checkpoint';
import type { ActivityDeps } from '../deps';
import { awaitJob, isJob } from '../jobs/await-job';
import { giveToken } from '../jobs/token';
import type { AttemptTx, EffectScene } from '../ledger-port';
import { refuseUntilLook } from '../looks';
import type { Opened, OpenFacts } from '../numbered-call';
import { deny, observeError } from '../observe';
import type { WriteTool } from '../ports';
import { insertUnrunTry } from '../unrun-try';
import { type Ask, type Authorised, authorise, forbidden } from './authorise';
import { giveBack } from './give-back';
import { observeConflict, observeKnown } from './known-outcome';
import { kinOperation, type Operation, operationOf } from './operation';
import { type Claimed, spend } from './send';
import { leaveUnknown } from './unknown';

type Answer = CallAnswers['act'];
type Allowed = Extract<Authorised, { kind: 'allowed' }>;

/** What `act` knows as it opens a try of a write. */
export interface WriteOpening {
  readonly deps: ActivityDeps;
  readonly tx: AttemptTx;
  readonly call: Call<'act'>;
  readonly action: Extract<CheckedAction, { kind: 'run' }>;
  readonly tool: WriteTool;
  readonly facts: OpenFacts;
  readonly begin: Beginning;
}

/**
 * Transaction one of a write: who has the key, whether this action may, and the claim (R4.1, E1, E2, E5, E7, E8).
 *
 *   I1  What is known of the key is told before anybody is asked for approval, and after policy had a chance to forbid it.
 *   I2  A resend that may not happen leaves the row UNKNOWN (E4).
 *   I3  Nothing is charged for a call that only waits.
 */
export async function openWrite(opening: WriteOpening): Promise<Opened<Answer, Claimed>> {
  const { deps, tx, call, action, facts } = opening;
  const asked = named(opening);
  if ('answer' in asked) return asked;
  const operation = await kinOperation(tx, opening.tool, action.args, asked, call.args);
  const { step, index } = call.args;
  const scene = await tx.effectScene({ key: operation.key, target: operation.target, step, index });
  // A try that was lost before it sent, and then had to wait for its target, goes on as its next execution.
  if (scene.own && !facts.takeover) await opening.begin.countExecutions();
  const claim = decideClaim(scene, operation.argsHash);
  const { target } = operation;
  const ask: Ask = { deps, tx, call, action, target };
  switch (claim.kind) {
    case 'busy':
      return facts.patient ? { busy: true } : { answer: waitFor(opening, operation, claim.effect) };
    case 'target_busy':
      return { answer: waitFor(opening, operation, claim.effect) };
    case 'unknown':
      return { answer: leaveUnknown(tx, call, claim.effect, 'NO_ANSWER') };
    case 'known':
    case 'conflict': {
      if (isOwn(opening, claim.effect)) {
        const { tool } = opening;
        if (isJob(tool, claim.effect)) return { answer: awaitJob(tx, call, tool, claim.effect) };
        return { answer: await observeKnown(tx, call, tool, claim.effect) };
      }
      const no = forbidden(ask); // I1
      return { answer: no ? await denied(opening, no) : await observeOthers(opening, claim) };
    }
    case 'resend':
      // A stop that waits is taken by the next call; until then nothing is sent that was not (M5).
      if (facts.cancel || facts.suspend) return { answer: leaveUnknown(tx, call, claim.effect, 'STOPPED') };
      return await claimed(opening, operation, scene, claim, {
        ...ask,
        held: { approval: claim.effect.approval, sent: true },
      });
    case 'retake':
      return await claimed(opening, operation, scene, claim, {
        ...ask,
        held: { approval: claim.effect.approval, sent: false },
      });
    case 'take':
      return await claimed(opening, operation, scene, claim, ask);
  }
}

async function claimed(
  opening: WriteOpening,
  operation: Operation,
  scene: EffectScene,
  claim: Extract<Claim, { kind: 'take' | 'retake' | 'resend' }>,
  ask: Ask,
): Promise<Opened<Answer, Claimed>> {
  const { deps, tx, call } = opening;
  const authorised = await authorise(ask);
  if (authorised.kind !== 'allowed') {
    if (claim.kind === 'resend') return { answer: leaveUnknown(tx, call, claim.effect, codeOf(authorised)) }; // I2
    if (authorised.kind === 'denied') return { answer: await denied(opening, authorised, scene.own) };
    if (authorised.kind === 'stale') return { answer: await unlooked(opening, authorised.rule, scene.own) };
    return { answer: { kind: 'needs_approval', binding: authorised.binding, expiresAt: authorised.expiresAt } }; // I3
  }
  const stopped = claim.kind === 'resend' ? undefined : await opening.begin.begin(authorised.rule);
  if (stopped) return { answer: release(tx, scene.own, stopped) };
  await writeCheckpoint(deps, tx, opening.action.contract, 'effect');
  return { work: take(opening, operation, claim, authorised) };
}

function codeOf(authorised: Exclude<Authorised, Allowed>): string {
  switch (authorised.kind) {
    case 'denied':
      return authorised.code;
    case 'ask':
      return 'NEEDS_APPROVAL';
    case 'stale':
      return 'LOOK_FIRST';
  }
}

/** Writes the claim and opens the try. Without `prepare` the same commit marks SENT (E3). */
function take(
  { deps, tx, call, action, tool, facts, begin }: WriteOpening,
  operation: Operation,
  claim: Extract<Claim, { kind: 'take' | 'retake' | 'resend' }>,
  { rule, approval, timeLimitMs, readOnlyRole }: Allowed,
): Claimed {
  const { step, index, try: tryNumber } = call.args;
  const sent = tool.prepare === undefined;
  const policy = deps.policy.version;
  const authorization = { rule, policy };
  const generation = claim.kind === 'take' ? claim.generation : claim.effect.generation;
  const ref = { key: claim.kind === 'take' ? operation.key : claim.effect.key, generation };
  let fence = 1;
  if (claim.kind === 'take') {
    if (claim.release) giveBack(tx, claim.release);
    tx.insertEffect({
      ...ref,
      step,
      index,
      tool: tool.name,
      effectClass: tool.effect,
      target: operation.target,
      argsHash: operation.argsHash,
      phase: sent ? 'SENT' : 'CLAIMED',
      owner: facts.execution,
      approval: approval?.ordinal ?? null,
      authorization,
    });
  } else {
    fence = claim.effect.fence + 1;
    const phase = sent ? 'SENT' : claim.kind === 'resend' ? 'UNKNOWN' : 'CLAIMED';
    tx.updateEffect(ref, claim.effect.fence, {
      phase,
      owner: facts.execution,
      resend: false,
      authorization,
      ...(sent ? { sent: true } : {}),
      ...(approval ? { approval: approval.ordinal } : {}),
    });
  }
  if (approval && sent) spend(tx, call, approval.ordinal);
  const key = { step, index, try: tryNumber, execution: begin.execution };
  const { snapshot } = tx.attempt;
  const worker = deps.executions.worker();
  tx.insert('tool_tries', { ...key, ...begin.prints, snapshot, sent, worker, rule, policy });
  tx.emit({ type: 'action_started', payload: { index, tool: action.name, try: tryNumber } });
  return {
    ref,
    fence,
    tool,
    target: operation.target,
    args: action.args,
    limits: { ...(timeLimitMs === undefined ? {} : { timeLimitMs }), ...(readOnlyRole && { readOnlyRole }) },
    try: key,
    rule,
    approval: approval?.ordinal,
    owner: facts.execution,
    sentAtMs: sent ? facts.begunAtMs : undefined,
    resend: claim.kind === 'resend',
    token: tool.job && giveToken(tx, call.args),
  };
}

/** An action that ends before any send gives its key back (E1). */
function release(tx: AttemptTx, own: Effect | undefined, answer: Answer): Answer {
  if (own?.phase === 'CLAIMED' && answer.kind !== 'over_budget') giveBack(tx, own);
  return answer;
}

async function denied(
  opening: WriteOpening,
  no: Extract<Authorised, { kind: 'denied' }>,
  own?: Effect,
): Promise<Answer> {
  const { deps, tx, call, action, begin } = opening;
  const over = await begin.begin(no.rule);
  if (over) return over;
  const by = { policy: deps.policy.version, worker: deps.executions.worker(), execution: begin.execution };
  return release(tx, own, deny(tx, call.args, action.name, no, begin.prints, by));
}

/** R8.6 */
async function unlooked({ deps, tx, call, action, begin }: WriteOpening, rule: string, own?: Effect): Promise<Answer> {
  const stopped = await begin.begin(rule);
  if (stopped) return release(tx, own, stopped);
  const by = { policy: deps.policy.version, worker: deps.executions.worker(), execution: begin.execution, rule };
  return release(tx, own, refuseUntilLook(tx, call.args, action.name, { ...begin.prints, ...by }));
}

/** The key was used before: its outcome, or the refusal of other arguments, is the observation, and the try is over (E1). */
async function observeOthers(
  { deps, tx, call, tool, begin }: WriteOpening,
  { kind, effect }: Extract<Claim, { kind: 'known' | 'conflict' }>,
): Promise<Answer> {
  const { rule, policy } = effect.authorization;
  const stopped = await begin.begin(rule);
  if (stopped) return stopped;
  if (kind === 'known') {
    const payload = { index: call.args.index, effect: idempotencyKey(call.ref.tenant, effect) };
    tx.emit({ type: 'effect_reused', payload });
  }
  const by = { worker: deps.executions.worker(), rule, policy, ...(kind === 'known' && { reused: effect.key }) };
  const unrun = { execution: begin.execution, ...begin.prints, ...by };
  if (kind === 'known' && isJob(tool, effect) && tool.job?.poll) {
    insertUnrunTry(tx, call.args, unrun, 'REUSED');
    return awaitJob(tx, call, tool, effect, { mine: false });
  }
  const observed =
    kind === 'known' ? await observeKnown(tx, call, tool, effect) : await observeConflict(tx, call, tool, effect);
  const failure = kind === 'conflict' ? 'KEY_CONFLICT' : observed.ok ? 'REUSED' : 'NOT_COMMITTED';
  insertUnrunTry(tx, call.args, unrun, failure);
  return observed;
}

/** E7: the attempt waits, and whoever settles the effect wakes it. */
function waitFor({ tx, call }: WriteOpening, { target }: Operation, effect: Effect): Answer {
  const key = idempotencyKey(call.ref.tenant, effect);
  tx.waitForEffect(effect);
  tx.emit({ type: 'target_busy', payload: { index: call.args.index, target, effect: key } });
  return { kind: 'target_busy', effect: key };
}

const isOwn = ({ call }: WriteOpening, effect: Effect) =>
  effect.attempt === call.ref.key && effect.step === call.args.step && effect.index === call.args.index;

/** A tool that cannot name its operation from these arguments is not asked to do it. */
function named({ tx, call, action, tool }: WriteOpening): Operation | { answer: Answer } {
  try {
    return operationOf(tool, action.args, tx.attempt, call.args.step, call.args.index);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const refusal = failed(
      { class: 'tool_argument', code: 'INVALID_ARGUMENTS' },
      `${action.name} cannot tell from these arguments what it would do: ${why}`,
      'Correct the arguments.',
    );
    return { answer: observeError(tx, call.args, { about: action.name }, refusal) };
  }
}
