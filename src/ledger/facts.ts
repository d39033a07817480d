import type { PoolClient } from 'pg';
import type { AttemptRow, ExecutionRow, InboxRow, RecordedAnswer, TransactionScope } from '../activities/ledger-port';
import type { AttemptState, Reason } from '../domain/attempt/states';
import type { Account, Limits } from '../domain/budget/account';
import type { StartSnapshot } from '../protocol/attempt';
import type { Answered, CallKind } from '../protocol/calls';
import { attemptId } from '../protocol/ids';
import { leaseMs } from '../protocol/lease';
import { hasKin } from './kin';

/** What a transaction of one move sees when it has the attempt's lock. */
export interface AttemptFacts {
  attempt: AttemptRow;
  answered: RecordedAnswer | undefined;
  execution: ExecutionRow | undefined;
  messages: InboxRow[];
  /** Other attempts of the task act for the same end; holds until the lock is let go of (I3 of kin.ts). */
  hasKin: boolean;
  lastInput: number;
  lastMessageInput: number;
  sequence: number;
  /** Next free position among the move's events. */
  nextK: number;
}

export interface AttemptColumns {
  tenant: string;
  task: string;
  number: number;
  start: {
    snapshot: StartSnapshot;
    versions: AttemptRow['versions'];
    startedBy?: string;
    forkedFrom?: AttemptRow['forkedFrom'];
    child?: AttemptRow['child'];
  };
  /** A bigint, which the driver hands out as text. */
  thread: string;
  contract_version: number;
  tainted: boolean;
  state: AttemptState;
  reason: Reason | null;
  model_stop: string | null;
  turn: number;
  step: number;
  acked: number;
  heard: number;
  account: Account;
  limits: Limits;
  base_commit: string | null;
  snapshot: string | null;
  workspace_host: string | null;
  revised_after_step: number | null;
  compact_after: number;
  versions_noted: string | null;
  stale_targets: AttemptRow['staleTargets'];
  ended: boolean;
}
interface FactsRow extends AttemptColumns {
  has_kin: boolean;
  sequence: number;
  next_k: number;
  last_input: number;
  last_message_input: number;
  move_kind: CallKind | null;
  move_hash: string | null;
  answer: Answered | null;
  execution: string | null;
  execution_kind: CallKind | null;
  execution_hash: string | null;
  live: boolean | null;
  messages: (Omit<InboxRow, 'at'> & { at: string })[];
}

export const attemptColumns = `a.tenant, a.task, a.number, a.start, a.thread, coalesce(a.revised_version, a.contract_version) as contract_version, a.tainted, a.state, a.reason, a.model_stop, a.turn, a.step,
    a.acked, a.heard, a.account, a.limits, a.base_commit, a.snapshot, a.workspace_host, a.revised_after_step, a.compact_after, a.versions_noted, a.stale_targets,
    a.ended_at is not null as ended`;

const factsQuery = `
  select ${attemptColumns}, a.sequence, ${hasKin} as has_kin,
    coalesce((select max(k) + 1 from events where attempt = a.key and move = $2), 0) as next_k,
    coalesce((select max(ordinal) from inputs where attempt = a.key), 0) as last_input,
    coalesce((select max(ordinal) from inputs where attempt = a.key and kind = 'message'), 0) as last_message_input,
    m.kind as move_kind, encode(m.args_hash, 'hex') as move_hash, m.answer,
    e.id as execution, e.kind as execution_kind, encode(e.args_hash, 'hex') as execution_hash,
    e.finished_at is null and w.ended_at is null and w.renewed_at > clock_timestamp() - $4 * interval '1 ms' as live,
    (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'body', body, 'takenBy', taken_by, 'disposition', disposition,
       'why', why, 'at', at) order by ordinal), '[]')
     from inbox where attempt = a.key and (taken_by is null or taken_by = $2 or taken_by >= $5::int or id = any($3))) as messages
  from attempts a
    left join moves m on m.attempt = a.key and m.n = $2
    left join executions e on e.attempt = a.key and e.n = $2
    left join workers w on w.id = e.worker
  where a.key = $1`;

/** Reads after the lock is had, in a statement of its own, so that it sees what the last holder committed. */
export async function readFacts(
  client: PoolClient,
  key: number,
  { n, awaited = [], beside }: TransactionScope,
): Promise<AttemptFacts> {
  const { rows } = await client.query<FactsRow>({
    name: 'attempt-facts',
    text: factsQuery,
    values: [key, n, awaited, leaseMs, beside ?? null],
  });
  const row = rows[0];
  if (!row) throw new Error(`No attempt has the key ${key}.`);
  return {
    attempt: attemptRow(key, row),
    answered:
      row.answer && row.move_kind && row.move_hash
        ? { kind: row.move_kind, argsHash: row.move_hash, answered: row.answer }
        : undefined,
    execution:
      row.execution && row.execution_kind && row.execution_hash
        ? { id: row.execution, kind: row.execution_kind, argsHash: row.execution_hash, live: row.live ?? false }
        : undefined,
    messages: row.messages.map((message) => ({ ...message, at: new Date(message.at) }) as InboxRow),
    hasKin: row.has_kin,
    lastInput: row.last_input,
    lastMessageInput: row.last_message_input,
    sequence: row.sequence,
    nextK: row.next_k,
  };
}

/** The row without its lock. */
export async function readAttempt(queryable: Pick<PoolClient, 'query'>, key: number): Promise<AttemptRow> {
  const { rows } = await queryable.query<AttemptColumns>({
    name: 'attempt',
    text: `select ${attemptColumns} from attempts a where a.key = $1`,
    values: [key],
  });
  const row = rows[0];
  if (!row) throw new Error(`No attempt has the key ${key}.`);
  return attemptRow(key, row);
}

export function attemptRow(key: number, row: AttemptColumns): AttemptRow {
  return {
    ref: { tenant: row.tenant, id: attemptId(row.task, row.number), key },
    start: row.start.snapshot,
    thread: Number(row.thread),
    forkedFrom: row.start.forkedFrom ?? null,
    child: row.start.child ?? null,
    versions: row.start.versions,
    contractVersion: row.contract_version,
    startedBy: row.start.startedBy ?? '',
    tainted: row.tainted,
    state: row.state,
    reason: row.reason,
    modelStop: row.model_stop,
    turn: row.turn,
    step: row.step,
    acked: row.acked,
    heard: row.heard,
    account: row.account,
    limits: row.limits,
    baseCommit: row.base_commit,
    snapshot: row.snapshot,
    host: row.workspace_host,
    revisedAfterStep: row.revised_after_step,
    compactAfter: row.compact_after,
    versionsNoted: row.versions_noted,
    staleTargets: row.stale_targets,
    ended: row.ended,
  };
}
