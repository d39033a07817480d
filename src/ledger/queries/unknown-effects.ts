import type { Pool } from 'pg';
import { type EffectClass, idempotencyKey } from '../../domain/effect/effect';
import { actionId, attemptId } from '../../protocol/ids';
import { type BodyRow, bodyText } from './body-text';
import { type UnknownCause, unknownCauseColumn, unknownCauseOf } from './unknown-cause';
import type { Whose } from './whose';

/** An effect of which nobody can tell yet whether it happened (R4.5). Times are ISO 8601, UTC. */
export interface UnknownEffect {
  readonly attemptId: string;
  readonly actionId: string;
  readonly tool: string;
  readonly effectClass: EffectClass;
  /** As the model wrote them; null where they are long and kept elsewhere. */
  readonly args: string | null;
  readonly target: string;
  readonly key: string;
  readonly sentAt: string | null;
  readonly cause: UnknownCause | null;
  /** Only a person can tell (R4.7); else it is still looked at. */
  readonly asked: boolean;
  /** Attempts that wait for it, because they would write to the same target (E7). */
  readonly heldUp: readonly string[];
}

interface Row {
  tenant: string;
  task: string;
  number: number;
  step: number;
  index: number;
  tool: string;
  class: EffectClass;
  args: BodyRow;
  target: string;
  key: string;
  generation: number;
  sent_at: Date | null;
  cause: UnknownCause | null;
  asked: boolean;
  held_up: string[];
}

const unknownQuery = `select f.tenant, a.task, a.number, f.step, f.index, f.tool, f.class, c.args, f.target, f.key, f.generation,
    f.sent_at, ${unknownCauseColumn} as cause, coalesce(a.reason = 'reconcile_required', false) as asked,
    (select coalesce(json_agg(b.task || '/' || b.number order by b.key), '[]') from effect_waits w join attempts b on b.key = w.attempt
     where w.tenant = f.tenant and w.key = f.key and w.generation = f.generation and b.ended_at is null) as held_up
  from effects f join attempts a on a.key = f.attempt
    join actions c on c.attempt = f.attempt and c.step = f.step and c.index = f.index
  where f.phase = 'UNKNOWN' and f.tenant = $1 and ($2::bigint is null or f.attempt = $2)
  order by f.sent_at, f.key`;

/** Unknown effects, the oldest first. Rejects where the database cannot be reached. */
export async function unknownEffects(pool: Pool, { tenant, attempt }: Whose): Promise<readonly UnknownEffect[]> {
  const { rows } = await pool.query<Row>(unknownQuery, [tenant, attempt ?? null]);
  return rows.map((row) => {
    const id = attemptId(row.task, row.number);
    return {
      attemptId: id,
      actionId: actionId(id, row.step, row.index),
      tool: row.tool,
      effectClass: row.class,
      args: bodyText(row.args),
      target: row.target,
      key: idempotencyKey(row.tenant, row),
      sentAt: row.sent_at?.toISOString() ?? null,
      cause: unknownCauseOf(row.cause),
      asked: row.asked,
      heldUp: row.held_up,
    };
  });
}
