import type { Pool } from 'pg';
import { type EffectPhase, idempotencyKey } from '../../domain/effect/effect';
import { type AttemptRef, actionId } from '../../protocol/ids';
import { type EffectEvidence, evidenceColumn, evidenceOf } from './effect-evidence';
import { type UnknownCause, unknownCauseColumn, unknownCauseOf } from './unknown-cause';

/** One row of the effect ledger, as people and programs read it (R4.2). Times are ISO 8601, UTC. */
export interface ListedEffect {
  readonly actionId: string;
  readonly tool: string;
  readonly target: string;
  /** The idempotency key that the other side was given. */
  readonly key: string;
  readonly argsHash: string;
  readonly phase: EffectPhase;
  /** Of the action, whether they reached SENT or not. */
  readonly tries: number;
  readonly sentAt: string | null;
  readonly committedAt: string | null;
  readonly downstreamId: string | null;
  readonly authorization: ListedAuthorization;
  /** Why it was, or is, unknown; null where its own answer came. */
  readonly unknown: UnknownCause | null;
  /** What was learnt of it beside its own answer, oldest first. */
  readonly evidence: readonly EffectEvidence[];
}
export interface ListedAuthorization {
  readonly rule: string;
  readonly policy: string;
  /** Who approved it; empty where nobody had to. */
  readonly approvedBy: readonly string[];
}

export interface ListedEffectRow extends Omit<ListedEffect, 'actionId' | 'key' | 'authorization'> {
  readonly step: number;
  readonly index: number;
  readonly key: string;
  readonly generation: number;
  readonly rule: string;
  readonly policy: string;
  readonly approvedBy: readonly string[];
}

/** Effects of attempt `a` as JSON, in the order of their actions. */
export const effectsColumn = `(select coalesce(json_agg(json_build_object('step', f.step, 'index', f.index, 'tool', f.tool,
      'target', f.target, 'key', f.key, 'generation', f.generation, 'argsHash', encode(f.args_hash, 'hex'), 'phase', f.phase,
      'tries', (select count(*) from tool_tries t where t.attempt = f.attempt and t.step = f.step and t.index = f.index),
      'sentAt', f.sent_at, 'committedAt', f.committed_at, 'downstreamId', f.downstream_id, 'rule', f.rule, 'policy', f.policy,
      'unknown', ${unknownCauseColumn}, 'evidence', ${evidenceColumn},
      'approvedBy', (select coalesce(json_agg(w.by_name order by w.at, w.by_name), '[]') from approval_answers w
        where w.attempt = f.attempt and w.step = f.step and w.index = f.index and w.ordinal = f.approval and w.answer = 'approve'))
      order by f.step, f.index, f.claimed_at, f.generation), '[]')
    from effects f where f.attempt = a.key)`;

export function listedEffect(ref: AttemptRef, row: ListedEffectRow): ListedEffect {
  const iso = (at: string | null) => (at === null ? null : new Date(at).toISOString());
  return {
    actionId: actionId(ref.id, row.step, row.index),
    tool: row.tool,
    target: row.target,
    key: idempotencyKey(ref.tenant, row),
    argsHash: row.argsHash,
    phase: row.phase,
    tries: row.tries,
    sentAt: iso(row.sentAt),
    committedAt: iso(row.committedAt),
    downstreamId: row.downstreamId,
    authorization: { rule: row.rule, policy: row.policy, approvedBy: row.approvedBy },
    unknown: unknownCauseOf(row.unknown),
    evidence: row.evidence.map(evidenceOf),
  };
}

/** Effects that an attempt owns or owned, in the order of their actions. Rejects where the database cannot be reached. */
export async function effectList(pool: Pool, ref: AttemptRef): Promise<readonly ListedEffect[]> {
  const { rows } = await pool.query<{ effects: ListedEffectRow[] }>(
    `select ${effectsColumn} as effects from attempts a where a.key = $1`,
    [ref.key],
  );
  return (rows[0]?.effects ?? []).map((row) => listedEffect(ref, row));
}
