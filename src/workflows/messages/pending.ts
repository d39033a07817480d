import { limitRow, tenantLimit } from '../../domain/budget/limit-table';
import { type AttemptRef, actionId } from '../../protocol/ids';
import type { signalNames } from '../../protocol/messages';
import type { RunState, WaitRunState } from '../run/run-state';

/** What the attempt waits for and who can answer, for people and for the query `pending`. */
export interface Pending extends Reply {
  readonly kind: 'message' | 'budget' | 'suspended' | 'approval' | 'effect' | 'job' | 'reconcile';
  readonly reason: string;
  /** The action that waits, and what it would do. */
  readonly actionId?: string;
  readonly tool?: string;
  /** ISO 8601, UTC: when the request expires. */
  readonly expiresAt?: string;
  /** Idempotency key of the effect in the way, or of the one that began the job. */
  readonly effect?: string;
  /** The limit that is used up, by its name in a task file. */
  readonly limit?: string;
  /** The smallest value of it that lets the attempt go on, as a task file has it. */
  readonly least?: number;
  /** The other answer. */
  readonly or?: Reply;
}
/** How one answers: at a shell, and by a signal where one does. */
export interface Reply {
  readonly command: string;
  readonly signal?: { readonly name: keyof typeof signalNames; readonly input: Readonly<Record<string, unknown>> };
}

export function pendingOf(state: RunState, step: number, ref: AttemptRef): readonly Pending[] {
  switch (state.kind) {
    case 'WAITING_FOR_USER':
      return [{ kind: 'message', reason: state.reason, ...reply(ref, 'say', '"…"', { text: '…', by: 'you' }) }];
    case 'SUSPENDED':
      return [suspended(state, ref)];
    case 'WAITING_FOR_APPROVAL': {
      const about = aboutAction(state, step, ref);
      const input = { actionId: about.actionId, by: 'you', binding: state.binding };
      return [
        {
          kind: 'approval',
          reason: 'paused_for_approval',
          ...about,
          expiresAt: new Date(state.expiresAt).toISOString(),
          ...reply(ref, 'approve', about.actionId, input),
          or: reply(ref, 'deny', about.actionId, input),
        },
      ];
    }
    case 'WAITING_FOR_EFFECT': {
      const about = aboutAction(state, step, ref);
      const kind = state.lookAt === undefined ? 'effect' : 'job';
      return [{ kind, reason: 'waiting_for_effect', ...about, effect: state.effect, command: inbox(ref) }];
    }
    case 'RECONCILING':
      return state.ask ? [asked(aboutAction(state, step, ref), ref)] : [];
    case 'CANCELLING':
      return state.ask ? [{ kind: 'reconcile', reason: 'reconcile_required', command: inbox(ref) }] : [];
    default:
      return [];
  }
}

function suspended({ reason, limit, least }: Extract<RunState, { kind: 'SUSPENDED' }>, ref: AttemptRef): Pending {
  if (reason !== 'budget_exceeded')
    return { kind: 'suspended', reason, ...reply(ref, 'resume', '', { by: 'you' }), or: end(ref) };
  const name = limit && limitRow(limit).written;
  const about = { reason, ...(name !== undefined && { limit: name }), ...(least !== undefined && { least }) };
  if (limit === tenantLimit)
    // raised in the configuration, and then tried again
    return { kind: 'budget', ...about, ...reply(ref, 'resume', '', { by: 'you' }), or: end(ref) };
  const value = least ?? '…';
  const raised = name === undefined ? {} : { budget: { [name]: value } };
  return {
    kind: 'budget',
    ...about,
    ...reply(ref, 'resume', `--budget ${name ?? 'LIMIT'}=${value}`, { by: 'you', ...raised }),
    or: end(ref),
  };
}
const end = (ref: AttemptRef) => reply(ref, 'cancel', '', { by: 'you' });

function asked(about: ReturnType<typeof aboutAction>, ref: AttemptRef): Pending {
  const word = (outcome: 'committed' | 'not_committed') =>
    reply(ref, 'reconcile', `${about.actionId} --${outcome.replace('_', '-')} --evidence "…"`, {
      actionId: about.actionId,
      outcome,
      by: 'you',
      evidence: '…',
    });
  return {
    kind: 'reconcile',
    reason: 'reconcile_required',
    ...about,
    ...word('committed'),
    or: word('not_committed'),
  };
}

function aboutAction({ batch }: WaitRunState, step: number, ref: AttemptRef) {
  const [action] = batch.actions;
  return { actionId: actionId(ref.id, step, action?.index ?? 0), tool: action?.tool ?? '' };
}

function reply(
  ref: AttemptRef,
  name: keyof typeof signalNames,
  rest: string,
  input: Readonly<Record<string, unknown>>,
): Reply {
  const words = ['holdfast', name, ref.id, rest].filter((word) => word !== '');
  return { command: words.join(' ') + forTenant(ref), signal: { name, input } };
}

/** Every pending request and open effect of the tenant, each with the command that settles it. */
const inbox = (ref: AttemptRef) => `holdfast inbox${forTenant(ref)}`;
const forTenant = ({ tenant }: AttemptRef) => (tenant === 'default' ? '' : ` --tenant ${tenant}`);
