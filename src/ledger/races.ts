import type { PoolClient } from 'pg';
import type { RaceHold } from '../activities/ledger-port';
import type { Race, StartSnapshot } from '../protocol/attempt';
import type { AttemptRef } from '../protocol/ids';
import { taskOf } from '../protocol/ids';
import { jsonParam } from './json';

/**
 * Attempts of a task that were begun side by side, of which one is to be its result (R15.1).
 *
 *   I1  One attempt at most holds the race, and only the holder hands its candidate over or is COMPLETED. Another may hold it once
 *       the holder has let go of it, or has ended without being COMPLETED.
 *   I2  Whoever asks for it never waits for it: it has its own row, for which the winner's end may wait.
 */

/** The caller holds the starts of the task. */
export async function insertRace(
  client: PoolClient,
  { tenant, task }: { readonly tenant: string; readonly task: string },
  { first }: Race,
): Promise<void> {
  await client.query('insert into races (tenant, task, first) values ($1, $2, $3)', [tenant, task, first]);
}

const raceOf = ({ tenant, id }: AttemptRef, { first }: Race) => [tenant, taskOf(id), first];

/** Held until the transaction ends, and from its commit on until the attempt lets go of it. */
export async function holdRace(client: PoolClient, ref: AttemptRef, race: Race): Promise<RaceHold> {
  const whose = raceOf(ref, race);
  const where = 'tenant = $1 and task = $2 and first = $3';
  // In a statement of its own, so that the next one sees what the last holder committed.
  const { rows: locked } = await client.query(`select from races where ${where} for update skip locked`, whose);
  if (locked.length === 0) return 'busy'; // I2
  const { rows } = await client.query<{ held: string; ended: boolean; won: boolean }>(
    `select r.holder as held, a.ended_at is not null as ended, a.state = 'COMPLETED' as won
     from races r join attempts a on a.key = r.holder where r.tenant = $1 and r.task = $2 and r.first = $3`,
    whose,
  );
  const [holder] = rows;
  if (holder && Number(holder.held) !== ref.key) {
    if (holder.won) return 'lost';
    if (!holder.ended) return 'busy';
  }
  await client.query(`update races set holder = $4 where ${where}`, [...whose, ref.key]);
  return 'mine';
}

export async function leaveRace(client: PoolClient, ref: AttemptRef, race: Race): Promise<void> {
  const where = 'tenant = $1 and task = $2 and first = $3 and holder = $4';
  await client.query(`update races set holder = null where ${where}`, [...raceOf(ref, race), ref.key]);
}

/** Their rows are locked first, in the order in which starts lock them, so that none ends without having seen it (M4). */
export async function cancelRivals(
  client: PoolClient,
  ref: AttemptRef,
  { first, of }: Race,
  reason: string,
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    `select key from attempts where tenant = $1 and task = $2 and number >= $3 and number < $3 + $4
       and key <> $5 and ended_at is null order by key for no key update`,
    [...raceOf(ref, { first, of }), of, ref.key],
  );
  await client.query(
    `insert into inbox (attempt, id, kind, body) select unnest($1::bigint[]), $2, 'cancel', $3 on conflict (attempt, id) do nothing`,
    [rows.map(({ key }) => key), `${lostRacePrefix}${ref.id}`, jsonParam({ by: 'holdfast', reason })],
  );
}

/** What the ids of those cancels begin with: nobody but a worker wakes the attempts that they are for. */
export const lostRacePrefix = 'race/';

/** As it begins beside no others. */
export function withoutRace({ race: _race, ...snapshot }: StartSnapshot): StartSnapshot {
  return snapshot;
}
