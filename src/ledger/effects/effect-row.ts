import type { Effect, EffectClass, EffectPhase, SettledBy } from '../../domain/effect/effect';
import { attemptId } from '../../protocol/ids';
import { leaseMs } from '../../protocol/lease';

/** A row of `effects` as queries read it; `f` is the row, `o` its attempt. */
export interface EffectColumns {
  key: string;
  generation: number;
  attempt: number;
  task: string;
  number: number;
  step: number;
  index: number;
  tool: string;
  class: EffectClass;
  target: string;
  args_hash: string;
  phase: EffectPhase;
  fence: number;
  owner: string;
  owner_live: boolean;
  sent_at: Date | null;
  resend: boolean;
  approval: number | null;
  committed_at: Date | null;
  downstream_id: string | null;
  settled_by: SettledBy | null;
  outcome: string | null;
  rule: string;
  policy: string;
}

/** M9: the execution that claimed it has neither answered nor ended, and its worker's lease runs. */
export const ownerLive = `exists (select from executions e join workers w on w.id = e.worker
    where e.attempt = f.attempt and e.n = f.n and e.id = f.owner and e.finished_at is null
      and w.ended_at is null and w.renewed_at > clock_timestamp() - interval '${leaseMs} ms')`;

export const effectColumns = `f.key, f.generation, f.attempt, o.task, o.number, f.step, f.index, f.tool, f.class, f.target,
    encode(f.args_hash, 'hex') as args_hash, f.phase, f.fence, f.owner, ${ownerLive} as owner_live, f.sent_at, f.resend,
    f.approval, f.committed_at, f.downstream_id, f.settled_by, f.outcome, f.rule, f.policy`;

export const effectOfRow = (row: EffectColumns): Effect => ({
  key: row.key,
  generation: row.generation,
  attempt: row.attempt,
  attemptId: attemptId(row.task, row.number),
  step: row.step,
  index: row.index,
  tool: row.tool,
  effectClass: row.class,
  target: row.target,
  argsHash: row.args_hash,
  phase: row.phase,
  fence: row.fence,
  owner: row.owner,
  ownerLive: row.owner_live,
  sentAt: row.sent_at,
  resend: row.resend,
  approval: row.approval,
  committedAt: row.committed_at,
  downstreamId: row.downstream_id,
  settledBy: row.settled_by,
  outcome: row.outcome,
  authorization: { rule: row.rule, policy: row.policy },
});
