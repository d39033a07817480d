import type { Pool } from 'pg';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import { type AttemptRef, attemptId } from '../../protocol/ids';

/** What somebody said to an attempt, as it took it. */
export interface SaidWord {
  /** Null where nobody said who speaks. */
  readonly by: string | null;
  /** At most `wordMaxChars` of it. */
  readonly text: string;
}

/** An attempt of a Thread, which has one or more of its turns. */
export interface ThreadAttempt {
  readonly attemptId: string;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly turn: number;
  /** The user's words, oldest first; of many, the newest `wordsMax`. */
  readonly words: readonly SaidWord[];
}

/** A person is reminded of what was said; the whole of it is in the inbox and the events. */
const wordMaxChars = 400;
/** Of one attempt, as many as a person goes through. */
const wordsMax = 20;
/** The newest of a long Thread; each names the one before it. */
const attemptsMax = 20;

const turnsQuery = `select a.task, a.number, a.state, a.reason, a.turn,
    (select coalesce(json_agg(json_build_object('by', w.by, 'text', w.text) order by w.ordinal), '[]') from (
       select i.ordinal, coalesce(i.body ->> 'by', case when i.ordinal = 1 then a.start ->> 'startedBy' end) as by,
         left(coalesce(i.body ->> 'text', ''), ${wordMaxChars}) as text
       from inputs i where i.attempt = a.key and i.kind = 'message' and i.body ->> 'thread' is null
       order by i.ordinal desc limit ${wordsMax}) w) as words
  from attempts a where a.thread = (select thread from attempts where key = $1) order by a.key desc limit ${attemptsMax}`;

/** The attempts of an attempt's Thread, oldest first, itself among them. Rejects where the database cannot be reached. */
export async function threadTurns(pool: Pool, ref: AttemptRef): Promise<readonly ThreadAttempt[]> {
  type Row = Omit<ThreadAttempt, 'attemptId'> & { readonly task: string; readonly number: number };
  const { rows } = await pool.query<Row>({ name: 'thread-turns', text: turnsQuery, values: [ref.key] });
  return rows.map(({ task, number, ...turn }) => ({ attemptId: attemptId(task, number), ...turn })).reverse();
}
