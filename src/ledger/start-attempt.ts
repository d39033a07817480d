import type { Pool, PoolClient } from 'pg';
import type { AttemptState, Reason } from '../domain/attempt/states';
import type { Limits } from '../domain/budget/account';
import { canonicalHash } from '../domain/canonical';
import type { Contract } from '../domain/contract/contract';
import type { StartSnapshot } from '../protocol/attempt';
import { type AttemptRef, attemptId } from '../protocol/ids';
import { versionOf } from './contracts';
import { holdSeal } from './hold-seal';
import { holdTask } from './hold-task';
import { inTransaction } from './in-transaction';
import { inheritRecord } from './inherit-record';
import { insertAttempt, type NewAttempt, type StartedAttempt, type StartRecord, type Taken } from './insert-attempt';
import { insertRace } from './races';
import { storeInherited } from './store-inherited';
import type { Texts } from './texts';

/**
 * A Task's next Attempt, made once.
 *
 *   I1  A lock named after the task is held from the first look to the commit, so its starts happen one after the other.
 *   I2  A start is known by its contract's hash and its start hash (first message, model, limits): the same start finds
 *       the attempt that it made before.
 *   I3  Attempts begun side by side are all there or none, and the same start is one that asks for as many.
 *   I4  Rows come before the workflow. A row without `workflow_started_at` is a start left half done, which anyone may
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
  /** Attempts to begin side by side, of which the first to meet the contract is the result (R15.1); 1 where left out. */
  readonly attempts?: number;
  /** Where long texts are kept (R10.3); left out, what the task's attempts before did binds all the same, and is not told. */
  readonly texts?: Texts;
}

export type StartOutcome =
  | {
      readonly kind: 'created' | 'running' | 'completed_before';
      readonly attempt: StartedAttempt;
      /** All that were begun side by side with it (R15.1), itself first; left out where it was begun alone. */
      readonly race?: readonly StartedAttempt[];
      /** Of the record that a created attempt goes on from, where there is one. */
      readonly took?: Taken;
    }
  /** One runs with something else; `differs` says what. */
  | { readonly kind: 'refused'; readonly attempt: StartedAttempt; readonly differs: Differs };

/** `attempts`: as many were begun side by side as the other start does not ask for. */
export type Differs = 'contract' | 'input' | 'attempts';

/**
 * Rejects with the driver's error where the database cannot be reached, and with SealBrokenError where the contract needs another sealed
 * test; nothing is stored then.
 */
export function startAttempt(pool: Pool, request: StartRequest): Promise<StartOutcome> {
  return inStart(pool, request, (client) => decideStart(client, request));
}

/** Runs `work` in a transaction that holds the starts of the task (I1). */
export function inStart<T>(
  pool: Pool,
  task: Pick<StartRequest, 'tenant' | 'task'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await holdTask(client, task);
    return await work(client);
  });
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
    if (mine !== undefined) return runningAlready(request, mine, rows);
    const differs = first.contract_version === contractVersion ? 'input' : 'contract';
    return { kind: 'refused', attempt: startedAttempt(tenant, first), differs };
  }
  const completed = rows.find((row) => row.state === 'COMPLETED' && row.contract_version === contractVersion);
  if (completed !== undefined && !request.again && !request.beside) {
    return { kind: 'completed_before', attempt: startedAttempt(tenant, completed) };
  }
  await holdSeal(client, request, request.contract);
  const [newest] = rows;
  // What was COMPLETED is begun afresh (I1 of kin.ts).
  const { texts, contract, input } = request;
  const inherited =
    newest && newest.state !== 'COMPLETED' && texts
      ? await inheritRecord(
          client,
          startedAttempt(tenant, newest).ref,
          { contract: { version: contractVersion, body: contract }, input },
          texts,
        )
      : undefined;
  const made = await insertAll(client, (newest?.number ?? 0) + 1, {
    ...{ ...request, contractVersion, startHash },
    ...inherited?.attempt,
  });
  for (const { ref } of made) if (inherited && texts) await storeInherited(client, ref, inherited.projection, texts);
  const [attempt] = made;
  if (!attempt) throw new Error('A start asked for no attempt.');
  const race = made.length > 1 ? { race: made } : {};
  return { kind: 'created', attempt, ...race, ...(inherited && { took: inherited.attempt.took }) };
}

/** I3: the attempts that a start asks for, in the order of their numbers. */
async function insertAll(
  client: PoolClient,
  first: number,
  { attempts: of = 1, snapshot, ...attempt }: Omit<NewAttempt, 'number'> & Pick<StartRequest, 'attempts'>,
): Promise<readonly StartedAttempt[]> {
  const race = { first, of };
  if (of > 1) await insertRace(client, attempt, race);
  const made: StartedAttempt[] = [];
  for (let number = first; number < first + of; number += 1)
    made.push(await insertAttempt(client, { ...attempt, number, snapshot: { ...snapshot, ...(of > 1 && { race }) } }));
  return made;
}

/** I3 */
function runningAlready(
  { tenant, attempts = 1 }: StartRequest,
  mine: TaskAttempt,
  rows: readonly TaskAttempt[],
): StartOutcome {
  const { race } = mine.start.snapshot;
  const attempt = startedAttempt(tenant, mine);
  if ((race?.of ?? 1) !== attempts) return { kind: 'refused', attempt, differs: 'attempts' };
  if (!race) return { kind: 'running', attempt };
  const all = rows.filter(({ start }) => start.snapshot.race?.first === race.first).reverse();
  const group = all.map((row) => startedAttempt(tenant, row));
  return { kind: 'running', attempt: group[0] ?? attempt, race: group };
}

/** The attempts of a task, the newest first. */
export async function attemptsOf(
  client: PoolClient,
  { tenant, task }: Pick<StartRequest, 'tenant' | 'task'>,
): Promise<readonly StartedAttempt[]> {
  const { rows } = await client.query<TaskAttempt>(attemptsOfTask, [tenant, task]);
  return rows.map((row) => startedAttempt(tenant, row));
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
