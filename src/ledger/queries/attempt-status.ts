import type { Pool } from 'pg';
import { type AttemptState, isEnd, type Reason } from '../../domain/attempt/states';
import { reasonTable } from '../../domain/attempt/table';
import type { AttemptRef } from '../../protocol/ids';

export interface AttemptStatus {
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly ended: boolean;
  /** Ended, or in a pause that no message waits to end: nothing moves until somebody acts. */
  readonly settled: boolean;
  /** Sequence of the newest event. */
  readonly sequence: number;
}

/** States that a reason leaves an attempt in without ending it. */
const pauseStates = [...new Set(Object.values(reasonTable).map(({ state }) => state))].filter((state) => !isEnd(state));

// A pause that a message has ended still stands in the row until the next call lands its state, so the pause is compared
// with the newest message that was taken.
const statusQuery = `select state, reason, ended_at is not null as ended, sequence,
    case when state = any($2) then
      not exists (select 1 from inbox where attempt = a.key and taken_by is null)
      and coalesce((select move from events where attempt = a.key and type = 'paused' order by sequence desc limit 1), -1)
        > coalesce((select max(taken_by) from inbox where attempt = a.key and disposition = 'taken'), -1)
    else false end as paused
  from attempts a where key = $1`;

/** Where an attempt stands. Rejects where the database cannot be reached. */
export async function attemptStatus(pool: Pool, ref: AttemptRef): Promise<AttemptStatus> {
  const { rows } = await pool.query<Omit<AttemptStatus, 'settled'> & { paused: boolean }>({
    name: 'attempt-status',
    text: statusQuery,
    values: [ref.key, pauseStates],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  const { paused, ...status } = row;
  return { ...status, settled: status.ended || paused };
}
