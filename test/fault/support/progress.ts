import type { AttemptRef } from '../../../src/protocol/ids';
import { until } from '../../support/gate';
import type { FaultWorld } from './fault-world';

/** Where an attempt stays until somebody comes. */
const waits = ['RECONCILING', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_EFFECT', 'WAITING_FOR_USER', 'SUSPENDED'];

interface Place {
  readonly n: number;
  readonly state: string;
  readonly ended: boolean;
}
export type Places = ReadonlyMap<number, Place>;

/** How far each attempt has come: its answered moves, and where it stands. */
export async function placesOf({ pool }: FaultWorld): Promise<Places> {
  const { rows } = await pool.query<Place & { key: number }>(
    `select key, state, ended_at is not null as ended, (select coalesce(max(n), 0) from moves where attempt = key) as n
     from attempts`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Resolves when the attempt has an answer more than it had, or has ended. */
export function untilWentOn(world: FaultWorld, ref: AttemptRef, before: Places): Promise<void> {
  return until(async () => hasMoved(before, (await placesOf(world)).get(ref.key), ref.key), `${ref.id} goes on`);
}

/** As that, for every attempt; one that waits for somebody need not move. */
export function untilAllWentOn(world: FaultWorld, before: Places): Promise<void> {
  return until(async () => {
    const now = await placesOf(world);
    return [...now].every(([key, place]) => waits.includes(place.state) || hasMoved(before, place, key));
  }, 'every attempt goes on');
}

const hasMoved = (before: Places, now: Place | undefined, key: number) =>
  now !== undefined && (now.ended || now.n > (before.get(key)?.n ?? 0));
