import { canonicalHash } from '../../domain/canonical';
import { bindingOf } from '../../domain/policy/binding';
import { checkConstraint } from '../../domain/policy/constraints';
import type { ApprovalTerms, Constraint, Decision, PolicyFacts } from '../../domain/policy/policy';
import type { Call } from '../../protocol/calls';
import { actionId, taskOf } from '../../protocol/ids';
import type { CheckedAction } from '../checked-action';
import { writeCheckpoint } from '../checkpoint';
import type { Approval, AttemptTx } from '../ledger-port';
import { isStale, lookNeeded } from '../looks';
import type { VersionDeps } from '../versions-here';
import { revocationOf, revokedInWords } from './revocations';

/**
 * Whether this exact action may be done now (R4.1, R5.1–R5.3, R4.9). Read anew at every call, in the transaction that acts
 * on it.
 *
 *   I1  A decision is made from facts of this moment; an approval only answers the question that the decision asks.
 *   I2  An approval fits by its binding alone; where anything bound has changed, it is void and another is asked for (R5.3).
 *   I3  A resend in the generation that an approval was spent on goes on under it; revocations count all the same (E8).
 */
export type Authorised =
  | {
      readonly kind: 'allowed';
      readonly rule: string;
      /** The approval that lets it, to be spent with the send. */
      readonly approval?: Approval;
      /** Limits that the tool is held to. */
      readonly timeLimitMs?: number;
      readonly readOnlyRole?: true;
    }
  | {
      readonly kind: 'denied';
      readonly rule: string;
      readonly code: string;
      readonly why: string;
      readonly next: string;
    }
  | { readonly kind: 'ask'; readonly rule: string; readonly binding: string; readonly expiresAt: number }
  /** What it would change has to be looked at first, so nobody is asked about it yet (R8.6). */
  | { readonly kind: 'stale'; readonly rule: string };

type Runnable = Extract<CheckedAction, { kind: 'run' }>;
type Denied = Extract<Authorised, { kind: 'denied' }>;

/** Calls of a tool are counted over an hour (`callsPerHour`), ms. */
const hourMs = 3_600_000;

const anotherWay = 'Go on without it, or ask the user.';

export interface Ask {
  readonly deps: VersionDeps;
  readonly tx: AttemptTx;
  readonly call: Call<'act'>;
  readonly action: Runnable;
  readonly target: string;
  /** The generation that this action has: ordinal of the approval that it uses (E8), and whether it was sent before. */
  readonly held?: { readonly approval: number | null; readonly sent: boolean };
}

/** Whether policy forbids it outright, whoever would say yes: asked before anything is told of what was done under its key. */
export function forbidden(ask: Ask): Denied | undefined {
  const decision = ask.deps.policy.decide(factsOf(ask));
  return decision.kind === 'deny' && !decision.escalation
    ? denied(decision.rule, 'POLICY_DENIED', decision.reason)
    : undefined;
}

export async function authorise(ask: Ask): Promise<Authorised> {
  const { deps, tx, action, target } = ask;
  const decision = deps.policy.decide(factsOf(ask));
  const { step, index } = ask.call.args;
  const revoked = await revocationOf(tx, { tool: action.tool, target, step, index, approval: undefined });
  if (revoked) return denied(decision.rule, 'REVOKED', revokedInWords(revoked));
  // Only a new send waits for a look: a resend asks for what was done already (E5).
  const isNew = decision.kind !== 'deny' && !ask.held?.sent;
  if (isNew && isStale(tx, lookNeeded(action.tool, target), step)) return { kind: 'stale', rule: decision.rule };
  switch (decision.kind) {
    case 'allow':
      return { kind: 'allowed', rule: decision.rule };
    case 'constrained_allow':
      return await underConstraints(tx, action, decision.rule, decision.constraints);
    case 'deny':
      return await onDenial(ask, decision);
    case 'require_approval': {
      const before = await tx.deniedBefore(action.name, action.argsHash, step, index);
      // That nobody answered in time was no answer, so the same may be asked for again.
      if (before && before.code !== 'APPROVAL_EXPIRED')
        return denied(decision.rule, 'DENIED_BEFORE', 'The same call was denied before in this attempt.');
      return await underApproval(ask, decision.rule, decision.terms, target);
    }
  }
}

function factsOf({ tx: { attempt }, action, target }: Ask): PolicyFacts {
  return {
    tenant: attempt.ref.tenant,
    principal: attempt.startedBy,
    tool: action.name,
    effect: action.tool.effect,
    target,
    args: action.args,
    workspace: action.tool.workspace,
    contract: { kind: action.contract.kind, task: taskOf(attempt.ref.id), version: attempt.contractVersion },
    spend: {
      costUsd: attempt.account.costMicroUsd / 1e6,
      toolCalls: attempt.account.toolCalls,
      turns: attempt.account.turns,
    },
    tainted: attempt.tainted,
  };
}

/** R5.2: what cannot be enforced is a denial. */
async function underConstraints(
  tx: AttemptTx,
  { tool, args, name }: Runnable,
  rule: string,
  constraints: readonly Constraint[],
): Promise<Authorised> {
  let timeLimitMs: number | undefined;
  let readOnlyRole: true | undefined;
  for (const constraint of constraints) {
    const callsInHour = constraint.kind === 'callsPerHour' ? await tx.callsWithin(name, hourMs) : 0;
    const checked = checkConstraint(constraint, { enforcers: tool.enforces ?? {}, args, callsInHour });
    if (checked.kind === 'unavailable') return denied(rule, 'CONSTRAINT_UNAVAILABLE', checked.why);
    if (checked.kind === 'violated')
      return denied(rule, 'CONSTRAINT_VIOLATED', checked.why, 'Stay within the limit, or ask the user.');
    if (constraint.kind === 'timeLimit') timeLimitMs = Math.min(timeLimitMs ?? constraint.ms, constraint.ms);
    if (constraint.kind === 'readOnlyRole') readOnlyRole = true;
  }
  return {
    kind: 'allowed',
    rule,
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    ...(readOnlyRole && { readOnlyRole }),
  };
}

/** A denial stands, unless policy has a path on which the same thing may be asked for again (R5.2). */
async function onDenial(ask: Ask, decision: Extract<Decision, { kind: 'deny' }>): Promise<Authorised> {
  const { tx, action, call, target } = ask;
  const { rule, reason, escalation } = decision;
  if (escalation && (await tx.deniedBefore(action.name, action.argsHash, call.args.step, call.args.index)))
    return await underApproval(ask, rule, escalation, target);
  const next = escalation ? 'Ask for the same once more to put it before a person.' : anotherWay;
  return denied(rule, 'POLICY_DENIED', reason, next);
}

async function underApproval(ask: Ask, rule: string, terms: ApprovalTerms, target: string): Promise<Authorised> {
  const { tx, call, held, deps } = ask;
  const { step, index } = call.args;
  const last = await tx.approval(step, index);
  if (!last) return await request(ask, rule, terms, target, 1);
  const isHeld = held !== undefined && held.approval === last.ordinal;
  if (isHeld && held.sent) return await unrevoked(ask, rule, last); // I3
  const fits =
    last.rule === rule && last.policy === deps.policy.version && last.binding === binding(ask, target, last.expiresAt);
  if (!fits) {
    if (last.state === 'open' || last.state === 'granted') close(tx, call, last, 'voided'); // I2
    return await request(ask, rule, terms, target, last.ordinal + 1);
  }
  switch (last.state) {
    case 'open':
    case 'granted':
      if (call.now >= last.expiresAt) {
        close(tx, call, last, 'expired');
        return expired(rule);
      }
      if (last.state === 'open') return { kind: 'ask', rule, binding: last.binding, expiresAt: last.expiresAt };
      return await unrevoked(ask, rule, last);
    case 'spent':
      // By this action: its use is on the generation that it has, or on a try of what has no effect row (E8).
      if (!('send' in ask.action.tool)) return await unrevoked(ask, rule, last);
      if (!isHeld) return await request(ask, rule, terms, target, last.ordinal + 1);
      return call.now >= last.expiresAt ? expired(rule) : await unrevoked(ask, rule, last);
    case 'denied': {
      const no = last.answers.find((answer) => answer.answer === 'deny');
      return denied(rule, 'APPROVAL_DENIED', `${no?.by ?? 'A person'} said no${no?.reason ? `: ${no.reason}` : '.'}`);
    }
    case 'expired':
      return expired(rule);
    case 'voided':
      return await request(ask, rule, terms, target, last.ordinal + 1);
  }
}

const expired = (rule: string) => denied(rule, 'APPROVAL_EXPIRED', 'Nobody answered the request for approval in time.');

/** R4.9: an approval that was taken back, or given by somebody who may give none any more, lets nothing happen. */
async function unrevoked({ tx, call, action, target }: Ask, rule: string, approval: Approval): Promise<Authorised> {
  const { step, index } = call.args;
  const revoked = await revocationOf(tx, { tool: action.tool, target, step, index, approval });
  return revoked ? denied(rule, 'REVOKED', revokedInWords(revoked)) : { kind: 'allowed', rule, approval };
}

async function request(
  ask: Ask,
  rule: string,
  terms: ApprovalTerms,
  target: string,
  ordinal: number,
): Promise<Authorised> {
  const { deps, tx, call, action } = ask;
  const { step, index } = call.args;
  const expiresAt = call.now + terms.expiresInMs;
  const bound = binding(ask, target, expiresAt);
  const policy = deps.policy.version;
  tx.insertApproval({
    step,
    index,
    ordinal,
    binding: bound,
    rule,
    policy,
    tool: action.name,
    target,
    terms,
    expiresAt,
  });
  tx.emit({
    type: 'approval_requested',
    payload: { index, tool: action.name, binding: bound, rule, policy, needed: terms.approvals, expiresAt },
  });
  await writeCheckpoint(deps, tx, action.contract, 'approval');
  return { kind: 'ask', rule, binding: bound, expiresAt };
}

function close(tx: AttemptTx, { ref, args }: Call<'act'>, { ordinal }: Approval, as: 'expired' | 'voided'): void {
  tx.closeApproval({ step: args.step, index: args.index, ordinal }, as);
  tx.emit({ type: 'approval_closed', payload: { action: actionId(ref.id, args.step, args.index), as } });
}

function binding({ deps, tx, call, action }: Ask, target: string, expiresAt: number): string {
  const { ref, contractVersion } = tx.attempt;
  return bindingOf({
    tenant: ref.tenant,
    attempt: ref.id,
    action: actionId(ref.id, call.args.step, call.args.index),
    tool: action.name,
    toolVersion: action.tool.version,
    effect: action.tool.effect,
    argsHash: canonicalHash(action.args),
    target,
    contractVersion,
    policy: deps.policy.version,
    expiresAt,
  });
}

function denied(rule: string, code: string, why: string, next = anotherWay): Denied {
  return { kind: 'denied', rule, code, why, next };
}
