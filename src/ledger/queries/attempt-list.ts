import type { Pool } from 'pg';
import { z } from 'zod';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import type { Account, ExceededLimit } from '../../domain/budget/account';
import type { TaskKind } from '../../domain/contract/contract';
import { attemptId } from '../../protocol/ids';
import { type RaceRow, type RaceStanding, raceColumn, raceStanding } from './race-of';
import { type Trouble, type TroubleRow, troubleColumn, troubleOf } from './trouble';

export interface ListedAttempt {
  readonly attemptId: string;
  readonly kind: TaskKind;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly turn: number;
  readonly step: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** As in its details; null where it runs or completed. */
  readonly trouble: Trouble | null;
  /** The limit that it is suspended about. */
  readonly exceeded: ExceededLimit | null;
  /** The attempt before it in its Thread. */
  readonly continues: string | null;
  /** The attempts that it was begun side by side with, and which of them won; null where it was begun alone. */
  readonly race: RaceStanding | null;
  /** What the user said last, at most `wordMaxChars` of it. */
  readonly lastWord: string;
}

export interface ListFilter {
  readonly open?: boolean | undefined;
  readonly state?: AttemptState | undefined;
  readonly kind?: TaskKind | undefined;
  /** Part of the task's name or of the goal, in any case. */
  readonly text?: string | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface AttemptPage {
  readonly attempts: readonly ListedAttempt[];
  /** Where the next page begins; null where there is none. An attempt that ends between two pages may be on both. */
  readonly next: string | null;
}

interface Row {
  key: number;
  open: boolean;
  created_exactly: string;
  task: string;
  number: number;
  kind: TaskKind;
  state: AttemptState;
  reason: Reason | null;
  turn: number;
  step: number;
  account: Account;
  created_at: Date;
  ended_at: Date | null;
  trouble: TroubleRow | null;
  exceeded: ExceededLimit | null;
  continues: string | null;
  race: RaceRow | null;
  last_word: string;
}

/** Enough to know a conversation by. */
const wordMaxChars = 200;

const listQuery = `select a.key, a.ended_at is null as open, a.created_at::text as created_exactly,
    a.task, a.number, c.body ->> 'kind' as kind, a.state, a.reason, a.turn, a.step, a.account, a.created_at, a.ended_at,
    case when a.reason is not null and a.state <> 'COMPLETED' then ${troubleColumn} end as trouble,
    case when a.state = 'SUSPENDED' then
      (select payload ->> 'limit' from events where attempt = a.key and type = 'budget_exceeded' order by sequence desc limit 1)
    end as exceeded, a.start -> 'continues' ->> 'attempt' as continues, ${raceColumn} as race,
    coalesce((select left(body ->> 'text', ${wordMaxChars}) from inputs where attempt = a.key and kind = 'message'
      and body ->> 'thread' is null order by ordinal desc limit 1), '') as last_word
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = a.contract_version
  where a.tenant = $1 and (not $2 or a.ended_at is null)
    and ($3::text is null or a.state = $3) and ($4::text is null or c.body ->> 'kind' = $4)
    and ($5::text is null or a.task ilike $5 or c.body ->> 'goal' ilike $5)
    and ($6::boolean is null or (a.ended_at is null, a.created_at, a.key) < ($6, $7::timestamptz, $8::bigint))
  order by (a.ended_at is null) desc, a.created_at desc, a.key desc limit $9`;

/** Attempts of a tenant: those that run or wait first, then the newest. Throws BadCursorError where the cursor is none. */
export async function listAttempts(pool: Pool, tenant: string, filter: ListFilter): Promise<AttemptPage> {
  const { open = false, state, kind, text, limit, cursor } = filter;
  const after = cursor === undefined ? [null, null, null] : readCursor(cursor);
  const { rows } = await pool.query<Row>(listQuery, [
    tenant,
    open,
    state ?? null,
    kind ?? null,
    text === undefined ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`,
    ...after,
    limit,
  ]);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { attempts: rows.map(listed), next: last === undefined ? null : cursorOf(last) };
}

const listed = (row: Row): ListedAttempt => ({
  attemptId: attemptId(row.task, row.number),
  kind: row.kind,
  state: row.state,
  reason: row.reason,
  turn: row.turn,
  step: row.step,
  tokens: row.account.tokens,
  costMicroUsd: row.account.costMicroUsd,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  trouble: troubleOf(row.trouble),
  exceeded: row.exceeded,
  continues: row.continues,
  race: raceStanding(row.task, row.race),
  lastWord: row.last_word,
});

/** A cursor that no page gave. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
}

const place = z.tuple([z.boolean(), z.string().regex(/^\d{4}-\d\d-\d\d [0-9:.+-]{8,30}$/), z.int().positive()]);

const cursorOf = ({ open, created_exactly, key }: Row): string =>
  Buffer.from(JSON.stringify([open, created_exactly, key])).toString('base64url');

function readCursor(cursor: string): z.output<typeof place> {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new BadCursorError('The cursor is none that a page gave.');
  }
}
