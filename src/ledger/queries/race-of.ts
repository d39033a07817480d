import { attemptId } from '../../protocol/ids';

/** The attempts that attempt `a` was begun side by side with (R15.1), as a column; null where it was begun alone. */
export const raceColumn = `(select json_build_object('first', r.first, 'of', (a.start #>> '{snapshot,race,of}')::int,
      'won', (select w.number from attempts w where w.key = r.holder and w.state = 'COMPLETED'))
    from races r where r.tenant = a.tenant and r.task = a.task and r.first = (a.start #>> '{snapshot,race,first}')::int)`;

export interface RaceRow {
  readonly first: number;
  readonly of: number;
  readonly won: number | null;
}

export interface RaceStanding {
  /** Ids of all of them, itself among them. */
  readonly attempts: readonly string[];
  /** The one that is the result; null where none is yet. */
  readonly won: string | null;
}

export function raceStanding(task: string, row: RaceRow | null): RaceStanding | null {
  if (row === null) return null;
  return {
    attempts: Array.from({ length: row.of }, (_, at) => attemptId(task, row.first + at)),
    won: row.won === null ? null : attemptId(task, row.won),
  };
}
