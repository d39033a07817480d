import type { PoolClient } from 'pg';
import { type Standing, standingEffectsMax } from '../activities/ledger-port';

const standingQuery = `select
    (select coalesce(json_agg(json_build_object('criterion', criterion, 'met', met)), '[]') from evidence
     where attempt = $1 and candidate = (select max(candidate) from evidence where attempt = $1)) as evidence,
    (select coalesce(json_agg(f), '[]') from (select step, index, phase from effects
     where attempt = $1 and phase in ('COMMITTED', 'COMPENSATION_FAILED', 'SENT', 'UNKNOWN')
     order by step desc, index desc, generation desc limit ${standingEffectsMax}) f) as effects,
    (select coalesce(max(ordinal), 0) from projections where attempt = $1) as projection`;

/** What a checkpoint says beside the attempt's own row. */
export async function readStanding(client: PoolClient, attempt: number): Promise<Standing> {
  const { rows } = await client.query<Standing>({ name: 'standing', text: standingQuery, values: [attempt] });
  const [row] = rows;
  if (!row) throw new Error('A query of one row gave none.');
  return row;
}

/** As it was written; undefined where there is none. */
export async function newestCheckpoint(client: PoolClient, attempt: number): Promise<unknown> {
  const { rows } = await client.query<{ body: unknown }>(
    'select body from checkpoints where attempt = $1 order by n desc limit 1',
    [attempt],
  );
  return rows[0]?.body;
}
