import type { Pool } from 'pg';
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

interface Row {
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

const listQuery = `select a.task, a.number, c.body ->> 'kind' as kind, a.state, a.reason, a.turn, a.step, a.account, a.created_at, a.ended_at,
    case when a.reason is not null and a.state <> 'COMPLETED' then ${troubleColumn} end as trouble,
    case when a.state = 'SUSPENDED' then
      (select payload ->> 'limit' from events where attempt = a.key and type = 'budget_exceeded' order by sequence desc limit 1)
    end as exceeded, a.start -> 'continues' ->> 'attempt' as continues, ${raceColumn} as race,
    coalesce((select left(body ->> 'text', ${wordMaxChars}) from inputs where attempt = a.key and kind = 'message'
      and body ->> 'thread' is null order by ordinal desc limit 1), '') as last_word
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = a.contract_version
  where a.tenant = $1 and (not $2 or a.ended_at is null)
  order by (a.ended_at is null) desc, a.created_at desc, a.key desc limit $3`;

/** Attempts of a tenant: those that run or wait first, then the newest. */
export async function listAttempts(
  pool: Pool,
  tenant: string,
  { openOnly, limit }: { readonly openOnly: boolean; readonly limit: number },
): Promise<readonly ListedAttempt[]> {
  const { rows } = await pool.query<Row>(listQuery, [tenant, openOnly, limit]);
  return rows.map((row) => ({
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
  }));
}
