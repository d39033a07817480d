import type { PoolClient } from 'pg';
import type { Standing } from '../activities/ledger-port';
import { committedShownMax } from '../domain/checkpoint/checkpoint';
import type { StoredCheckpoint } from '../domain/checkpoint/read-checkpoint';
import { isOpenPhase, isStandingPhase } from './effects/phases';

const standingQuery = `select
    (select coalesce(json_agg(json_build_object('criterion', criterion, 'met', met)), '[]') from evidence
     where attempt = $1 and candidate = (select max(candidate) from evidence where attempt = $1)) as evidence,
    (select coalesce(json_agg(f order by f.step desc, f.index desc), '[]') from (
       (select step, index, phase from effects where attempt = $1 and phase in ${isOpenPhase})
       union all
       (select step, index, phase from effects where attempt = $1 and phase in ${isStandingPhase}
        order by step desc, index desc, generation desc limit ${committedShownMax + 1})) f) as effects,
    (select coalesce(json_agg(json_build_object('step', j.step, 'index', j.index, 'tool', a.tool, 'handle', j.handle) order by j.step, j.index), '[]')
     from jobs j join actions a using (attempt, step, index) where attempt = $1 and j.state = 'running') as jobs,
    (select coalesce(json_agg(json_build_object('step', c.step, 'index', c.index, 'child', k.task || '/' || k.number) order by c.step, c.index), '[]')
     from children c join attempts k on k.key = c.child where c.attempt = $1 and k.ended_at is null) as children,
    (select coalesce(max(ordinal), 0) from projections where attempt = $1) as projection,
    (select json_build_object('n', w.n, 'body', w.body) from checkpoints w where w.attempt = $1 and w.n =
      (select coalesce((body ->> 'like')::int, n) from checkpoints where attempt = $1 order by n desc limit 1)) as whole`;

/** What a checkpoint says beside the attempt's own row. */
export async function readStanding(client: PoolClient, attempt: number): Promise<Standing> {
  const { rows } = await client.query<Standing>({ name: 'standing', text: standingQuery, values: [attempt] });
  const [row] = rows;
  if (!row) throw new Error('A query of one row gave none.');
  return row;
}

/** Rows of checkpoints, each with the one that it leans on. */
export const checkpointsQuery = `select c.n, c.at, c.body, w.body as base from checkpoints c
  left join checkpoints w on w.attempt = c.attempt and w.n = (c.body ->> 'like')::int where c.attempt = $1`;

/** As it was written; undefined where there is none. */
export async function newestCheckpoint(client: PoolClient, attempt: number): Promise<StoredCheckpoint | undefined> {
  const { rows } = await client.query<StoredCheckpoint>(`${checkpointsQuery} order by c.n desc limit 1`, [attempt]);
  return rows[0];
}

/** The versions that the attempt last went on beside; undefined before its first call. */
export async function newestVersions(client: PoolClient, attempt: number): Promise<unknown> {
  const { rows } = await client.query<{ body: unknown }>(
    'select body from attempt_versions where attempt = $1 order by id desc limit 1',
    [attempt],
  );
  return rows[0]?.body;
}
