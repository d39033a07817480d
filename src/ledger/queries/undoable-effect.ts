import type { Pool } from 'pg';
import type { EffectPhase, EffectRef } from '../../domain/effect/effect';
import type { AttemptRef } from '../../protocol/ids';
import type { BodyRow } from './body-text';

/** What it takes to undo the effect of an action (E9): what was asked for, and what came of it. */
export interface UndoableEffect extends EffectRef {
  readonly phase: EffectPhase;
  readonly tool: string;
  readonly args: BodyRow;
  /** What the tool, a probe or a person said of the outcome. */
  readonly output: string;
  readonly downstreamId: string | null;
}

const undoableQuery = `select f.key, f.generation, f.phase, f.tool, c.args, coalesce(f.outcome, o.body ->> 'text', '') as output,
    f.downstream_id as "downstreamId"
  from effects f join actions c on c.attempt = f.attempt and c.step = f.step and c.index = f.index
    left join observations o on o.attempt = f.attempt and o.step = f.step and o.index = f.index
  where f.attempt = $1 and f.step = $2 and f.index = $3 order by f.claimed_at desc, f.generation desc limit 1`;

/** The effect that an action owns; undefined where it has none. Rejects where the database cannot be reached. */
export async function undoableEffect(
  pool: Pool,
  ref: AttemptRef,
  { step, index }: { readonly step: number; readonly index: number },
): Promise<UndoableEffect | undefined> {
  return (await pool.query<UndoableEffect>(undoableQuery, [ref.key, step, index])).rows[0];
}
