import type { Pool } from 'pg';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import type { Checkpoint } from '../../domain/checkpoint/checkpoint';
import { readCheckpoint, type StoredCheckpoint } from '../../domain/checkpoint/read-checkpoint';
import { type AttemptRef, checkpointId } from '../../protocol/ids';
import { checkpointsQuery } from '../standing';

/** A checkpoint as `show` lists it. */
export interface ListedCheckpoint {
  /** What `fork --at` takes. */
  readonly checkpoint: string;
  /** ISO 8601, UTC. */
  readonly writtenAt: string;
  /** Null where it cannot be read; `why` says so. */
  readonly at: Checkpoint['at'] | null;
  readonly turn: number | null;
  readonly step: number | null;
  readonly state: AttemptState | null;
  readonly reason: Reason | null;
  readonly unmet: readonly string[];
  /** Jobs and children that were at work; null where it does not say. */
  readonly elsewhere: Checkpoint['elsewhere'];
  readonly snapshot: string | null;
  readonly why?: string;
}

/** A person looks at the newest ones; all of them are rows, and `fork --at` finds each. */
const listedMax = 50;

/** The newest checkpoints, oldest first. Rejects where the database cannot be reached. */
export async function checkpointList(pool: Pool, ref: AttemptRef): Promise<readonly ListedCheckpoint[]> {
  const { rows } = await pool.query<StoredCheckpoint & { at: Date }>(
    `${checkpointsQuery} order by c.n desc limit ${listedMax}`,
    [ref.key],
  );
  return rows.map((row) => listed(ref, row)).reverse();
}

function listed(ref: AttemptRef, row: StoredCheckpoint & { at: Date }): ListedCheckpoint {
  const named = { checkpoint: checkpointId(ref.id, row.n), writtenAt: row.at.toISOString() };
  const read = readCheckpoint(row);
  if (!read.ok)
    return {
      ...named,
      at: null,
      turn: null,
      step: null,
      state: null,
      reason: null,
      unmet: [],
      elsewhere: null,
      snapshot: null,
      why: read.why,
    };
  const { at, turn, step, state, reason, unmet, elsewhere, snapshot } = read.checkpoint;
  return { ...named, at, turn, step, state, reason, unmet, elsewhere, snapshot };
}
