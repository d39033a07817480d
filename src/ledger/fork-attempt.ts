import type { Pool, PoolClient } from 'pg';
import type { Checkpoint } from '../domain/checkpoint/checkpoint';
import { readCheckpoint, type StoredCheckpoint } from '../domain/checkpoint/read-checkpoint';
import { readTaskState } from '../domain/context/task-state';
import type { RunSettings } from '../protocol/attempt';
import { type AttemptRef, checkpointId, taskOf } from '../protocol/ids';
import { readContract } from './contracts';
import { holdSeal } from './hold-seal';
import { ancestorsWith } from './inherit-record';
import { inheritedProjection } from './inherited-projection';
import { type Heritage, insertAttempt, type StartedAttempt, type StartRecord, type Taken } from './insert-attempt';
import { jsonParam } from './json';
import { withoutRace } from './races';
import { checkpointsQuery } from './standing';
import { inStart } from './start-attempt';
import { storeInherited } from './store-inherited';
import type { Texts } from './texts';

/**
 * A new Attempt of the same Task from a checkpoint of another one (R12.3): beside it, under the contract that was in force, with
 * the limits that it was started with, files as they were, the plan as it was, and what its record says; not its conversation.
 *
 *   I1  What the other did outside stands: the new one knows it, and the ledger answers with it where the same is asked for (E1).
 *   I2  Whoever begins from tainted content is tainted, and what was stale for the other is stale for the new one.
 */
export interface ForkRequest {
  readonly from: AttemptRef;
  /** The move of the checkpoint; the newest one where left out. */
  readonly at?: number;
  readonly snapshot: RunSettings;
  readonly versions: Readonly<Record<string, string>>;
  readonly by?: string;
  /** Where long texts are kept (R10.3). */
  readonly texts: Texts;
}

export type ForkOutcome =
  | {
      readonly kind: 'forked';
      readonly attempt: StartedAttempt;
      readonly checkpoint: string;
      readonly took: Omit<Taken, 'from'>;
    }
  | {
      readonly kind: 'refused';
      /** `unprepared`: the attempt works on files, and had none yet. */
      readonly why: 'no_checkpoint' | 'unreadable' | 'compensation' | 'unprepared';
      readonly detail: string;
    };

interface Source {
  contract_version: number;
  start: StartRecord;
  start_hash: string;
  limits: StartRecord['limits'];
  tainted: boolean;
  stale_targets: Heritage['staleTargets'];
  input: string;
  /** What was said before in its Thread; null where it began one. */
  memory: string | null;
  newest: number;
}
const sourceQuery = `select coalesce(a.revised_version, a.contract_version) as contract_version, a.start, a.start_hash, a.limits,
    a.tainted, a.stale_targets, (select body ->> 'text' from inputs where attempt = a.key and body ->> 'thread' is null order by ordinal limit 1) as input,
    (select body ->> 'text' from inputs where attempt = a.key and body ->> 'thread' is not null) as memory,
    (select max(number) from attempts where tenant = a.tenant and task = a.task) as newest
  from attempts a where a.key = $1`;

/** Rejects with the driver's error where the database cannot be reached, and with SealBrokenError; nothing is stored then. */
export function forkAttempt(pool: Pool, request: ForkRequest): Promise<ForkOutcome> {
  const { tenant, id } = request.from;
  return inStart(pool, { tenant, task: taskOf(id) }, (client) => fork(client, request));
}

async function fork(client: PoolClient, request: ForkRequest): Promise<ForkOutcome> {
  const { from } = request;
  const { rows } = await client.query<Source>(sourceQuery, [from.key]);
  const [source] = rows;
  if (!source) throw new Error(`${from.tenant} has no attempt ${from.id}.`);
  const { snapshot } = source.start;
  if (snapshot.compensation) return refused('compensation', `${from.id} undoes one effect, and begins nowhere else.`);
  const found = await checkpointAt(client, from, request.at);
  if ('why' in found) return found;
  const { n, checkpoint } = found;
  if (snapshot.hasWorkspace && checkpoint.snapshot === null)
    return refused(
      'unprepared',
      `At ${checkpointId(from.id, n)} there were no files yet; start the task again instead.`,
    );

  const { contract_version: contractVersion, input, memory } = source;
  const body = await readContract(client, from, contractVersion);
  await holdSeal(client, { tenant: from.tenant, task: taskOf(from.id) }, body);
  const upto = { step: checkpoint.step, input: checkpoint.context.input };
  const policy = checkpoint.versions.policy ?? '';
  const contract = { version: contractVersion, body };
  const past = { from, upto, checkpoint: n, contractVersion, policy, contract, input };
  const { projection, tokens, effects, messages } = await inheritedProjection(client, past, request.texts.load);
  const attempt = await insertAttempt(client, {
    tenant: from.tenant,
    task: taskOf(from.id),
    number: source.newest + 1,
    contractVersion,
    startHash: source.start_hash,
    limits: source.start.limits ?? limitsOf(source, from),
    input,
    ...(memory !== null && { memory }),
    snapshot: { ...withoutRace(snapshot), ...request.snapshot },
    versions: request.versions,
    ...(request.by === undefined ? {} : { by: request.by }),
    heritage: { tainted: source.tainted, staleTargets: source.stale_targets }, // I2
    took: { from: from.id, snapshot: checkpoint.snapshot, effects, messages },
    forkedFrom: {
      attempt: from.id,
      n,
      snapshot: checkpoint.snapshot,
      ancestors: ancestorsWith(source.start, from),
      upto,
    },
  });
  const { ref } = attempt;
  const plan = readTaskState(checkpoint.plan);
  // With the number of the start, which is no move.
  if (plan)
    await client.query('insert into task_states (attempt, n, body) values ($1, 0, $2)', [ref.key, jsonParam(plan)]);
  await storeInherited(client, ref, { projection, tokens }, request.texts); // I1
  const took = { snapshot: checkpoint.snapshot, effects, messages };
  return { kind: 'forked', attempt, checkpoint: checkpointId(from.id, n), took };
}

const refused = (why: Extract<ForkOutcome, { kind: 'refused' }>['why'], detail: string) =>
  ({ kind: 'refused', why, detail }) as const;

/** Of an attempt whose start did not note them: as they are. */
function limitsOf({ limits }: Source, { id }: AttemptRef) {
  if (!limits) throw new Error(`${id} has no limits.`);
  return limits;
}

interface Found {
  readonly n: number;
  readonly checkpoint: Checkpoint;
}

async function checkpointAt(
  client: PoolClient,
  from: AttemptRef,
  n: number | undefined,
): Promise<Found | Extract<ForkOutcome, { kind: 'refused' }>> {
  const { rows } = await client.query<StoredCheckpoint>(
    `${checkpointsQuery} and ($2::int is null or c.n = $2) order by c.n desc limit 1`,
    [from.key, n ?? null],
  );
  const [row] = rows;
  if (!row) {
    const none = n === undefined ? `${from.id} has no checkpoint yet.` : `There is no ${checkpointId(from.id, n)}.`;
    return refused('no_checkpoint', none);
  }
  const read = readCheckpoint(row);
  if (!read.ok) return refused('unreadable', `${checkpointId(from.id, row.n)} cannot be read. ${read.why}`);
  return { n: row.n, checkpoint: read.checkpoint };
}
