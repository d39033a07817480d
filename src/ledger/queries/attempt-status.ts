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

/** Nobody but a person can tell of any effect of attempt `a` that is unknown, and there is one. */
const unknownForPeople = `(select coalesce(bool_and(class <> 'probed'), false) from effects where attempt = a.key and phase = 'UNKNOWN')`;

/** States that a reason leaves an attempt in without ending it. */
const pauseStates = [...new Set(Object.values(reasonTable).map(({ state }) => state))].filter((state) => !isEnd(state));

// A pause that a message has ended still stands in the row until the next call lands its state: its reason is gone, or a
// message was taken after it that ends every pause of this kind. An answer that was not the last, or a word to an attempt
// that is suspended, ends none. A cancel that hangs on an effect which only a person can tell of waits as a pause does.
const statusQuery = `select state, reason, ended_at is not null as ended, sequence,
    not exists (select 1 from inbox where attempt = a.key and taken_by is null) and case
      when state = any($2) then reason is not null
        and coalesce((select move from events where attempt = a.key and type = 'paused' order by sequence desc limit 1), -1)
          > coalesce((select max(taken_by) from inbox where attempt = a.key and disposition = 'taken'
              and (kind in ('cancel', 'suspend') or (kind = 'say' and a.state = 'WAITING_FOR_USER'))), -1)
      when state = 'CANCELLING' then ${unknownForPeople}
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
