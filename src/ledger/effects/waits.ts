import type { Pool } from 'pg';
import { type EffectRef, idempotencyKey } from '../../domain/effect/effect';
import { attemptId } from '../../protocol/ids';
import type { Batch } from '../batch';
import { insertMessage } from '../inbox';
import { textParam } from '../json';
import { isUnsettledPhase } from './phases';

/** E7: what one attempt waits for; one row an attempt. */
export function writeWait(batch: Batch, tenant: string, attempt: number, ref: EffectRef | undefined): void {
  if (ref === undefined) {
    batch.add('delete from effect_waits where attempt = $1', [attempt]);
    return;
  }
  batch.add(
    `insert into effect_waits (attempt, tenant, key, generation) values ($1, $2, $3, $4)
     on conflict (attempt) do update set key = excluded.key, generation = excluded.generation, at = clock_timestamp()`,
    [attempt, tenant, textParam(ref.key), ref.generation],
  );
}

/** One look does a bounded amount of work; the next does the rest. */
const messagesPerLookMax = 100;

const messageId = `'effect/' || w.key || '/g' || w.generation`;
const settledQuery = `select a.key as attempt, a.task, a.number, w.tenant, w.key, w.generation, ${messageId} as message
  from effect_waits w join attempts a on a.key = w.attempt
    join effects f on f.tenant = w.tenant and f.key = w.key and f.generation = w.generation
  where a.ended_at is null and f.phase not in ${isUnsettledPhase}
    and not exists (select from inbox i where i.attempt = w.attempt and i.id = ${messageId})
  order by w.at limit $1`;

interface SettledWait extends EffectRef {
  attempt: number;
  task: string;
  number: number;
  tenant: string;
  message: string;
}

/** Tells attempts that wait for an effect, by a message, that it is settled; each once (E7). Rejects as the driver does. */
export async function tellSettled(pool: Pool): Promise<void> {
  const { rows } = await pool.query<SettledWait>(settledQuery, [messagesPerLookMax]);
  for (const { attempt, task, number, tenant, message, ...ref } of rows) {
    const body = { effect: idempotencyKey(tenant, ref) };
    const to = { tenant, id: attemptId(task, number), key: attempt };
    await insertMessage(pool, to, { id: message, kind: 'effectSettled', body });
  }
}
