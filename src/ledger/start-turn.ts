import type { Pool, PoolClient } from 'pg';
import type { AttemptState, Reason } from '../domain/attempt/states';
import type { Limits } from '../domain/budget/account';
import { canonicalHash } from '../domain/canonical';
import { threadMemory } from '../domain/context/thread-memory';
import type { TaskKind } from '../domain/contract/contract';
import type { RunSettings } from '../protocol/attempt';
import { type AttemptRef, attemptId } from '../protocol/ids';
import type { Message } from '../protocol/messages';
import { readContract } from './contracts';
import { holdSeal } from './hold-seal';
import { holdTask } from './hold-task';
import { inTransaction } from './in-transaction';
import { type Heritage, insertAttempt, type StartedAttempt, type StartRecord } from './insert-attempt';
import { threadPast } from './thread-past';

/**
 * The next turn of a Thread: a message to a dialog that has completed makes attempt n+1, in the transaction that stores it (M8).
 *
 *   I1  The row of the attempt that was spoken to is locked, so of two messages one makes the turn, and the other finds it.
 *   I2  A Thread is a line: its newest attempt is spoken to, whichever of them was named.
 *   I3  It goes on under the contract in force, with the limits and models of the start before it; the memory is what was said
 *       and done.
 */
export interface TurnRequest {
  readonly message: Extract<Message, { kind: 'say' }>;
  /** What is the same for every attempt that begins here and now. */
  readonly settings: RunSettings;
  readonly versions: Readonly<Record<string, string>>;
}

export type TurnOutcome =
  /** `known`: this message had made it before. */
  | { readonly kind: 'created' | 'known'; readonly attempt: StartedAttempt }
  /** The Thread has gone on in this one, which is to be told. */
  | { readonly kind: 'elsewhere'; readonly ref: AttemptRef }
  /** Nothing goes on from this attempt: it is no dialog, or has not completed. */
  | { readonly kind: 'over'; readonly state: AttemptState; readonly reason: Reason | null };

/** Rejects with the driver's error where the database cannot be reached, and with SealBrokenError; nothing is stored then. */
export function startTurn(pool: Pool, ref: AttemptRef, request: TurnRequest): Promise<TurnOutcome> {
  return inTransaction(pool, (client) => startLocked(client, ref, request));
}

interface Spoken {
  task: string;
  thread: string;
  state: AttemptState;
  reason: Reason | null;
  version: number;
  kind: TaskKind;
  tainted: boolean;
  stale_targets: Heritage['staleTargets'];
  limits: Limits;
  start: StartRecord;
}
const spokenQuery = `
  select a.task, a.thread, a.state, a.reason, c.version, c.body ->> 'kind' as kind, a.tainted, a.stale_targets, a.limits, a.start
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = coalesce(a.revised_version, a.contract_version)
  where a.key = $1 for no key update of a`;

interface Newest {
  key: string;
  task: string;
  number: number;
  state: AttemptState;
  reason: Reason | null;
  start: StartRecord;
  started: boolean;
}
const newestQuery = `select key, task, number, state, reason, start, workflow_started_at is not null as started
  from attempts where thread = $1 order by key desc limit 1`;

async function startLocked(client: PoolClient, ref: AttemptRef, request: TurnRequest): Promise<TurnOutcome> {
  const [spoken] = (await client.query<Spoken>(spokenQuery, [ref.key])).rows;
  if (spoken === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  const { state, reason } = spoken;
  if (spoken.kind !== 'dialog' || state !== 'COMPLETED') return { kind: 'over', state, reason };
  const task = { tenant: ref.tenant, task: spoken.task };
  await holdTask(client, task);
  await holdSeal(client, task, await readContract(client, ref, spoken.version));
  const [newest] = (await client.query<Newest>(newestQuery, [spoken.thread])).rows;
  if (newest !== undefined && Number(newest.key) !== ref.key) return goneOn(ref, newest, request); // I2
  return { kind: 'created', attempt: await create(client, ref, spoken, request) };
}

function goneOn({ tenant }: AttemptRef, newest: Newest, { message }: TurnRequest): TurnOutcome {
  const ref = { tenant, id: attemptId(newest.task, newest.number), key: Number(newest.key) };
  if (newest.start.continues?.messageId !== message.id) return { kind: 'elsewhere', ref };
  const { state, reason, started: workflowStarted } = newest;
  return { kind: 'known', attempt: { ref, state, reason, snapshot: newest.start.snapshot, workflowStarted } };
}

async function create(
  client: PoolClient,
  { tenant, id }: AttemptRef,
  { task, thread, version, tainted, stale_targets: staleTargets, limits, start }: Spoken,
  { message, settings, versions }: TurnRequest,
): Promise<StartedAttempt> {
  const { rows } = await client.query<{ next: number }>(
    'select max(number) + 1 as next from attempts where tenant = $1 and task = $2',
    [tenant, task],
  );
  const { text, by } = message.body;
  return await insertAttempt(client, {
    tenant,
    task,
    number: rows[0]?.next ?? 1,
    contractVersion: version,
    startHash: canonicalHash({ continues: id, messageId: message.id }),
    limits: start.limits ?? limits,
    input: text,
    snapshot: { ...start.snapshot, ...settings },
    versions,
    ...(by !== undefined && { by }),
    continues: {
      thread: Number(thread),
      attempt: id,
      messageId: message.id,
    },
    heritage: { tainted, staleTargets },
    memory: threadMemory(await threadPast(client, Number(thread))),
  });
}
