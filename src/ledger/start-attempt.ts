import type { Pool, PoolClient } from 'pg';
import type { AttemptState, Reason } from '../domain/attempt/states';
import { emptyAccount, type Limits } from '../domain/budget/account';
import { canonicalHash } from '../domain/canonical';
import type { Contract } from '../domain/contract/contract';
import type { StartSnapshot } from '../protocol/attempt';
import { type AttemptRef, attemptId } from '../protocol/ids';
import { lockTask, versionOf } from './contracts';
import { jsonParam } from './json';

/**
 * A Task's next Attempt, made once.
 *
 *   I1  A lock named after the task is held from the first look to the commit, so its starts happen one after the other.
 *   I2  A start is known by its contract's hash and its start hash (first message, model, limits): the same start finds
 *       the attempt that it made before.
 *   I3  Rows come before the workflow. A row without `workflow_started_at` is a start left half done, which anyone may
 *       finish.
 */
export interface StartRequest {
  readonly tenant: string;
  readonly task: string;
  readonly contract: Contract;
  readonly limits: Limits;
  /** The first message. */
  readonly input: string;
  readonly snapshot: StartSnapshot;
  /** Versions of what the attempt runs with, shown beside it (R12.1). */
  readonly versions: Readonly<Record<string, string>>;
  /** Who starts it; left out where that is not known. */
  readonly by?: string;
  /** Another attempt also where the task is COMPLETED under this contract. */
  readonly again?: boolean;
  /** Another attempt beside one that runs. */
  readonly beside?: boolean;
}

export interface StartedAttempt {
  readonly ref: AttemptRef;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly snapshot: StartSnapshot;
  readonly workflowStarted: boolean;
}

export type StartOutcome =
  | { readonly kind: 'created' | 'running' | 'completed_before'; readonly attempt: StartedAttempt }
  /** One runs with something else; `differs` says what. */
  | { readonly kind: 'refused'; readonly attempt: StartedAttempt; readonly differs: 'contract' | 'input' };

/** What `attempts.start` holds. */
export interface StartRecord {
  readonly models: readonly string[];
  readonly snapshot: StartSnapshot;
  readonly versions: Readonly<Record<string, string>>;
  readonly startedBy?: string;
}

/** Rejects with the driver's error where the database cannot be reached; nothing is stored then. */
export function startAttempt(pool: Pool, request: StartRequest): Promise<StartOutcome> {
  return inStart(pool, request, (client) => decideStart(client, request));
}

/** Runs `work` in a transaction that holds the starts of the task (I1). */
export async function inStart<T>(
  pool: Pool,
  { tenant, task }: Pick<StartRequest, 'tenant' | 'task'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await lockTask(client, { tenant, task });
    const outcome = await work(client);
    await client.query('commit');
    client.release();
    return outcome;
  } catch (error) {
    // The connection is dropped with whatever the transaction still holds.
    client.release(true);
    throw error;
  }
}

/** What the start comes to; the caller holds the starts of the task. */
export async function decideStart(client: PoolClient, request: StartRequest): Promise<StartOutcome> {
  const { tenant, task } = request;
  await client.query('insert into tenants (tenant) values ($1) on conflict do nothing', [tenant]);
  await client.query('insert into tasks (tenant, task) values ($1, $2) on conflict do nothing', [tenant, task]);

  const contractVersion = await versionOf(client, request, request.contract);
  const startHash = startHashOf(request);
  const { rows } = await client.query<TaskAttempt>(attemptsOfTask, [tenant, task]);
  const same = (row: TaskAttempt) => row.contract_version === contractVersion && row.start_hash === startHash; // I2

  const running = rows.filter((row) => row.ended_at === null);
  const [first] = running;
  if (first !== undefined && !request.beside) {
    const mine = running.find(same);
    if (mine !== undefined) return { kind: 'running', attempt: startedAttempt(tenant, mine) };
    const differs = first.contract_version === contractVersion ? 'input' : 'contract';
    return { kind: 'refused', attempt: startedAttempt(tenant, first), differs };
  }
  const completed = rows.find((row) => row.state === 'COMPLETED' && row.contract_version === contractVersion);
  if (completed !== undefined && !request.again && !request.beside) {
    return { kind: 'completed_before', attempt: startedAttempt(tenant, completed) };
  }
  const number = (rows[0]?.number ?? 0) + 1;
  return { kind: 'created', attempt: await create(client, request, { contractVersion, startHash, number }) };
}

/** The attempts of a task, the newest first. */
export async function attemptsOf(
  client: PoolClient,
  { tenant, task }: Pick<StartRequest, 'tenant' | 'task'>,
): Promise<readonly StartedAttempt[]> {
  const { rows } = await client.query<TaskAttempt>(attemptsOfTask, [tenant, task]);
  return rows.map((row) => startedAttempt(tenant, row));
}

/** The first message begins the first turn. */
const firstAccount = { ...emptyAccount, turns: 1 };

async function create(
  client: PoolClient,
  request: StartRequest,
  { contractVersion, startHash, number }: { contractVersion: number; startHash: string; number: number },
): Promise<StartedAttempt> {
  const { tenant, task, limits, snapshot, versions, by } = request;
  const models = snapshot.models.map(({ name }) => name);
  const start: StartRecord = { models, snapshot, versions, ...(by === undefined ? {} : { startedBy: by }) };
  const values = [tenant, task, number, contractVersion, startHash, ...[start, firstAccount, limits].map(jsonParam)];
  const { rows } = await client.query<{ key: string }>(
    `with thread as (insert into threads (tenant) values ($1) returning key)
     insert into attempts (tenant, task, number, contract_version, thread, start_hash, start, account, limits, sequence, heard)
     select $1, $2, $3, $4, thread.key, $5, $6, $7, $8, 1, 1 from thread returning key`,
    values,
  );
  const key = Number(rows[0]?.key);
  await client.query(
    `insert into inputs (attempt, ordinal, turn, after_step, kind, body) values ($1, 1, 1, 0, 'message', $2)`,
    [key, jsonParam({ text: request.input })],
  );
  await client.query('insert into turns (attempt, turn, first_step) values ($1, 1, 1)', [key]);
  await client.query(
    `insert into events (attempt, sequence, move, k, type, turn, step, visibility, payload)
     values ($1, 1, 0, 0, 'attempt_created', 1, 0, 'user', $2)`,
    [key, jsonParam({ contractVersion })],
  );
  return {
    ref: { tenant, id: attemptId(task, number), key },
    state: 'CREATED',
    reason: null,
    snapshot,
    workflowStarted: false,
  };
}

interface TaskAttempt {
  key: string;
  task: string;
  number: number;
  contract_version: number;
  start_hash: string;
  start: StartRecord;
  state: AttemptState;
  reason: Reason | null;
  ended_at: Date | null;
  workflow_started_at: Date | null;
}
const attemptsOfTask = `select key, task, number, contract_version, start_hash, start, state, reason, ended_at, workflow_started_at
  from attempts where tenant = $1 and task = $2 order by number desc`;

function startedAttempt(tenant: string, row: TaskAttempt): StartedAttempt {
  return {
    ref: { tenant, id: attemptId(row.task, row.number), key: Number(row.key) },
    state: row.state,
    reason: row.reason,
    snapshot: row.start.snapshot,
    workflowStarted: row.workflow_started_at !== null,
  };
}

/** Measured facts of the snapshot stay out: they change from hour to hour and are no wish of the person. */
function startHashOf({ input, snapshot, limits }: StartRequest): string {
  return canonicalHash({ input, models: snapshot.models.map(({ name }) => name), limits });
}

/** Called once the workflow is known to run; again, it changes nothing. */
export async function markWorkflowStarted(pool: Pool, ref: AttemptRef): Promise<void> {
  await pool.query(
    'update attempts set workflow_started_at = clock_timestamp() where key = $1 and workflow_started_at is null',
    [ref.key],
  );
}
