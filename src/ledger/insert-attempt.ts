import type { PoolClient } from 'pg';
import type { ChildOrigin, ForkOrigin } from '../activities/ledger-port';
import type { AttemptState, Reason } from '../domain/attempt/states';
import { emptyAccount, type Limits } from '../domain/budget/account';
import { inheritStale } from '../domain/failure/inherit-stale';
import type { StaleTarget } from '../domain/failure/stale-targets';
import type { StartSnapshot } from '../protocol/attempt';
import { eventSchemaVersion } from '../protocol/events';
import { type AttemptRef, attemptId, checkpointId } from '../protocol/ids';
import { jsonParam } from './json';
import { kinAfterNow } from './kin';

/** The rows that every attempt begins with. */
export interface NewAttempt {
  readonly tenant: string;
  readonly task: string;
  readonly number: number;
  readonly contractVersion: number;
  /** What a start is known by. */
  readonly startHash: string;
  readonly limits: Limits;
  /** The first message. */
  readonly input: string;
  readonly snapshot: StartSnapshot;
  readonly versions: Readonly<Record<string, string>>;
  readonly by?: string;
  readonly forkedFrom?: ForkedFrom;
  /** Another attempt asked for it (R15.1). */
  readonly child?: ChildOrigin;
  /** The attempt whose record it goes on from; a fork names its own with the checkpoint. */
  readonly inherits?: Inheritance;
  /** What is true of it because of the attempt before it; left out where it begins afresh. */
  readonly heritage?: Heritage;
  /** How much it took over, for people. */
  readonly took?: Taken;
  /** The Thread whose next turn it is; a Thread of its own where left out. */
  readonly continues?: ContinuedThread;
  /** What was said in its Thread before, as its first input; left out where nothing was. */
  readonly memory?: string;
}
export interface ContinuedThread {
  readonly thread: number;
  /** Id of the attempt before it, and of the message that it begins with. */
  readonly attempt: string;
  readonly messageId: string;
}
export interface ForkedFrom extends ForkOrigin {
  /** How far its past goes in that attempt: the step, and the input that a model had been given; unknown where left out. */
  readonly upto?: { readonly step: number; readonly input: number };
}
export interface Inheritance {
  /** Its id. */
  readonly attempt: string;
  /** It and those that it goes on from itself, by their numbers in the ledger, the oldest first. */
  readonly ancestors: readonly number[];
}
export interface Heritage {
  /** The attempt before had read what nobody here vouches for, and what is told of it may hold that. */
  readonly tainted: boolean;
  readonly staleTargets: readonly StaleTarget[];
}
export interface Taken {
  /** Id of the attempt before. */
  readonly from: string;
  /** Whose files it begins with; null where it has none, or those of its task. */
  readonly snapshot: string | null;
  readonly effects: number;
  readonly messages: number;
}

/** What `attempts.start` holds. */
export interface StartRecord {
  readonly models: readonly string[];
  readonly snapshot: StartSnapshot;
  readonly versions: Readonly<Record<string, string>>;
  readonly startedBy?: string;
  /** As they were at the start; a row of an older Holdfast has none. */
  readonly limits?: Limits;
  readonly forkedFrom?: ForkedFrom;
  readonly inherits?: Inheritance;
  readonly took?: Taken;
  readonly continues?: Pick<ContinuedThread, 'attempt' | 'messageId'>;
  readonly child?: ChildOrigin;
}

/** The first message begins the first turn. */
const firstAccount = { ...emptyAccount, turns: 1 };

export interface StartedAttempt {
  readonly ref: AttemptRef;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly snapshot: StartSnapshot;
  readonly workflowStarted: boolean;
}

/** The caller holds the starts of the task. */
export async function insertAttempt(client: PoolClient, attempt: NewAttempt): Promise<StartedAttempt> {
  const { tenant, task, number, contractVersion, startHash, limits, snapshot, continues, heritage } = attempt;
  const inputs = firstInputs(attempt);
  const rows = [startRecord(attempt), firstAccount, limits].map(jsonParam);
  const { rows: inserted } = await client.query<{ key: string }>(
    `with fresh as (insert into threads (tenant) select $1 where $9::bigint is null returning key),
       thread as (select key from fresh union all select $9 where $9 is not null)
     insert into attempts (tenant, task, number, contract_version, thread, start_hash, start, account, limits, sequence, heard, tainted, stale_targets, kin_after)
     select $1, $2, $3, $4, thread.key, $5, $6, $7, $8, 1, $10, $11, $12, ${kinAfterNow} from thread returning key`,
    [
      ...[tenant, task, number, contractVersion, startHash],
      ...rows,
      ...[continues?.thread ?? null, inputs.length, heritage?.tainted ?? false],
      jsonParam(inheritStale(heritage?.staleTargets ?? [])),
    ],
  );
  const key = Number(inserted[0]?.key);
  for (const [at, body] of inputs.entries()) {
    const text = `insert into inputs (attempt, ordinal, turn, after_step, kind, body) values ($1, $2, 1, 0, 'message', $3)`;
    await client.query(text, [key, at + 1, jsonParam(body)]);
  }
  await client.query('insert into turns (attempt, turn, first_step) values ($1, 1, 1)', [key]);
  await client.query(
    `insert into events (attempt, sequence, move, k, version, type, turn, step, visibility, payload)
     values ($1, 1, 0, 0, $3, 'attempt_created', 1, 0, 'user', $2)`,
    [key, jsonParam({ contractVersion, ...origin(attempt) }), eventSchemaVersion],
  );
  return {
    ref: { tenant, id: attemptId(task, number), key },
    state: 'CREATED',
    reason: null,
    snapshot,
    workflowStarted: false,
  };
}

/** `thread`: what was said before, which is nobody's message. */
function firstInputs({ input, by, memory, continues }: NewAttempt): readonly object[] {
  const message = continues && { ...(by !== undefined && { by }), messageId: continues.messageId };
  return [...(memory === undefined ? [] : [{ text: memory, thread: true }]), { text: input, ...message }];
}

function startRecord(attempt: NewAttempt): StartRecord {
  const { snapshot, versions, limits, by, forkedFrom, inherits, took, continues, child } = attempt;
  return {
    models: snapshot.models.map(({ name }) => name),
    snapshot,
    versions,
    limits,
    ...(by === undefined ? {} : { startedBy: by }),
    ...(forkedFrom && { forkedFrom }),
    ...(inherits && { inherits }),
    ...(took && { took }),
    ...(child && { child }),
    ...(continues && { continues: { attempt: continues.attempt, messageId: continues.messageId } }),
  };
}

const origin = ({ forkedFrom, inherits, continues, child }: NewAttempt) => ({
  ...(child && { childOf: child.parent }),
  ...(forkedFrom && { forkedFrom: checkpointId(forkedFrom.attempt, forkedFrom.n) }),
  ...(inherits && { inherits: inherits.attempt }),
  ...(continues && { continues: continues.attempt }),
});
