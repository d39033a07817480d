import type { Pool } from 'pg';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import type { Account, Limits } from '../../domain/budget/account';
import type { Contract, Criterion } from '../../domain/contract/contract';
import { type EffectRef, idempotencyKey } from '../../domain/effect/effect';
import { type AttemptRef, actionId, checkpointId, workflowId } from '../../protocol/ids';
import type { StartRecord, Taken } from '../insert-attempt';
import { effectsColumn, type ListedEffect, type ListedEffectRow, listedEffect } from './effect-list';
import { exceededColumn, type LimitPassed } from './inbox';
import { type LastStep, type LastStepRow, lastStepColumn, lastStepOf } from './last-step';
import { type OpenApproval, openApprovals } from './open-approvals';
import { type RaceRow, type RaceStanding, raceColumn, raceStanding } from './race-of';
import { type RefusedWrite, type RefusedWriteRow, refusedWrite, refusedWritesColumn } from './refused-writes';
import { type Trouble, type TroubleRow, troubleColumn, troubleOf } from './trouble';
import { type UnknownEffect, unknownEffects } from './unknown-effects';

/** All about one attempt. */
export interface AttemptDetails {
  readonly attemptId: string;
  readonly taskId: string;
  readonly workflowId: string;
  readonly kind: Contract['kind'];
  readonly goal: string;
  /** What the user revised of it, in order (R1.2). */
  readonly revisions: readonly string[];
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly taskCompletion: string | null;
  readonly modelStop: string | null;
  readonly turn: number;
  readonly step: number;
  readonly budget: { readonly limits: Limits; readonly used: Account };
  readonly checks: readonly CheckedCriterion[];
  readonly effects: readonly ListedEffect[];
  /** Writes that it proposed and that were not let through. */
  readonly refused: readonly RefusedWrite[];
  /** Requests of it that wait for an answer. */
  readonly approvals: readonly OpenApproval[];
  readonly unknownEffects: readonly UnknownEffect[];
  /** The idempotency key of the effect that it waits for (E7). */
  readonly waitsForEffect: string | null;
  /** Jobs that run elsewhere (R15.2); by ids of their actions. */
  readonly jobs: readonly RunningJob[];
  /** It has read what nobody here vouches for. */
  readonly tainted: boolean;
  readonly startedBy: string | null;
  /** The checkpoint that it was forked from. */
  readonly forkedFrom: string | null;
  /** What it took over of the attempt whose record it goes on from. */
  readonly took: Taken | null;
  /** The attempt before it in its Thread. */
  readonly continues: string | null;
  /** The attempts that it was begun side by side with, and which of them won; null where it was begun alone. */
  readonly race: RaceStanding | null;
  /** The newest proposal: what it said, and what it called. */
  readonly lastStep: LastStep | null;
  /** The limit that the newest suspension was about. */
  readonly exceeded: LimitPassed | null;
  /** Why it does not go on, or failed, where something outside the attempt stood in its way. */
  readonly trouble: Trouble | null;
  /** A model of it has no known price, so the cost is counted as nothing. */
  readonly priceUnknown: boolean;
  /** Messages that no transaction has taken yet. */
  readonly waitingMessages: readonly { readonly id: string; readonly kind: string }[];
  readonly versions: Readonly<Record<string, string | number | readonly string[]>>;
  readonly workspace: WorkspaceDetails | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** False: a start left half done; a worker finishes it. */
  readonly workflowStarted: boolean;
  /** Sequence of the newest event. */
  readonly sequence: number;
}
export interface RunningJob {
  readonly actionId: string;
  readonly tool: string;
  /** The other side's name for it. */
  readonly handle: string;
  /** ISO 8601, UTC: when it was submitted. */
  readonly since: string;
}
export interface CheckedCriterion {
  readonly id: string;
  readonly check: Criterion['check'];
  /** Null: not checked yet. */
  readonly met: boolean | null;
  readonly candidate: number | null;
  readonly detail: string | null;
  /** What the check printed, cut to size; a diff check has the changed files here. */
  readonly output: string | null;
  /** The whole output, where it was cut. */
  readonly artifact: { readonly hash: string; readonly bytes: number } | null;
}
export interface WorkspaceDetails {
  readonly git: string;
  readonly ref: string;
  readonly base: string | null;
  readonly snapshot: string | null;
  /** Set by the commit of a verified candidate. */
  readonly branch: string | null;
  readonly commit: string | null;
}

interface Row {
  task: string;
  contract_version: number;
  contract: Contract;
  start: StartRecord;
  state: AttemptState;
  reason: Reason | null;
  model_stop: string | null;
  task_completion: string | null;
  turn: number;
  step: number;
  account: Account;
  limits: Limits;
  base_commit: string | null;
  snapshot: string | null;
  created_at: Date;
  ended_at: Date | null;
  workflow_started: boolean;
  sequence: number;
  evidence: (Omit<CheckedCriterion, 'id' | 'check'> & { criterion: string })[];
  effects: ListedEffectRow[];
  refused: RefusedWriteRow[];
  waits_for: EffectRef | null;
  jobs: { step: number; index: number; tool: string; handle: string; at: string }[];
  tainted: boolean;
  last_step: LastStepRow | null;
  waiting: { id: string; kind: string }[];
  committed: { branch: string; commit: string } | null;
  exceeded: AttemptDetails['exceeded'];
  trouble: TroubleRow | null;
  price_unknown: boolean;
  race: RaceRow | null;
}

// One statement, so that what stands in the attempt's own rows is of one moment.
const detailsQuery = `select a.task, c.version as contract_version, c.body as contract, a.start, a.state, a.reason, a.model_stop, a.task_completion,
    a.turn, a.step, a.account, a.limits, a.base_commit, a.snapshot, a.created_at, a.ended_at,
    a.workflow_started_at is not null as workflow_started, a.sequence,
    (select coalesce(json_agg(e), '[]') from (
       select distinct on (criterion) criterion, met, candidate, body ->> 'detail' as detail,
         body ->> 'output' as output, body -> 'artifact' as artifact
       from evidence where attempt = a.key order by criterion, candidate desc) e) as evidence,
    ${effectsColumn} as effects, ${refusedWritesColumn} as refused,
    (select json_build_object('key', w.key, 'generation', w.generation) from effect_waits w where w.attempt = a.key) as waits_for,
    (select coalesce(json_agg(json_build_object('step', j.step, 'index', j.index, 'tool', c.tool, 'handle', j.handle, 'at', j.at) order by j.step, j.index), '[]')
     from jobs j join actions c using (attempt, step, index) where j.attempt = a.key and j.state = 'running') as jobs,
    a.tainted, ${lastStepColumn} as last_step,
    (select coalesce(json_agg(json_build_object('id', id, 'kind', kind) order by ordinal), '[]')
     from inbox where attempt = a.key and taken_by is null) as waiting,
    (select payload from events where attempt = a.key and type = 'committed' order by sequence desc limit 1) as committed,
    ${exceededColumn} as exceeded,
    exists (select 1 from model_tries where attempt = a.key and price ->> 'known' = '0') as price_unknown,
    ${troubleColumn} as trouble, ${raceColumn} as race
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = coalesce(a.revised_version, a.contract_version)
  where a.key = $1`;

/** Rejects where the database cannot be reached. */
export async function attemptDetails(pool: Pool, ref: AttemptRef): Promise<AttemptDetails> {
  const whose = { tenant: ref.tenant, attempt: ref.key };
  const [{ rows }, approvals, unknown] = await Promise.all([
    pool.query<Row>(detailsQuery, [ref.key]),
    openApprovals(pool, whose),
    unknownEffects(pool, whose),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  return {
    attemptId: ref.id,
    taskId: row.task,
    workflowId: workflowId(ref.tenant, ref.id),
    kind: row.contract.kind,
    goal: row.contract.goal,
    revisions: row.contract.revisions ?? [],
    state: row.state,
    reason: row.reason,
    taskCompletion: row.task_completion,
    modelStop: row.model_stop,
    turn: row.turn,
    step: row.step,
    budget: { limits: row.limits, used: row.account },
    checks: row.contract.acceptance.map((criterion) => checkedCriterion(criterion, row.evidence)),
    effects: row.effects.map((effect) => listedEffect(ref, effect)),
    refused: row.refused.map((write) => refusedWrite(ref, write)),
    approvals,
    unknownEffects: unknown,
    waitsForEffect: row.waits_for && idempotencyKey(ref.tenant, row.waits_for),
    jobs: row.jobs.map(({ step, index, tool, handle, at }) => ({
      actionId: actionId(ref.id, step, index),
      tool,
      handle,
      since: new Date(at).toISOString(),
    })),
    tainted: row.tainted,
    startedBy: row.start.startedBy ?? null,
    forkedFrom: forkedFrom(row.start),
    took: row.start.took ?? null,
    continues: row.start.continues?.attempt ?? null,
    race: raceStanding(row.task, row.race),
    lastStep: lastStepOf(ref.id, row.last_step),
    exceeded: row.exceeded,
    trouble: troubleOf(row.trouble),
    priceUnknown: row.price_unknown,
    waitingMessages: row.waiting,
    versions: {
      ...row.start.versions,
      contract: row.contract_version,
      flow: row.start.snapshot.flow,
      models: row.start.models,
    },
    workspace: workspaceDetails(row),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    workflowStarted: row.workflow_started,
    sequence: row.sequence,
  };
}

const forkedFrom = ({ forkedFrom: origin }: StartRecord) => (origin ? checkpointId(origin.attempt, origin.n) : null);

function checkedCriterion({ id, check }: Criterion, evidence: Row['evidence']): CheckedCriterion {
  const found = evidence.find(({ criterion }) => criterion === id);
  if (found === undefined) return { id, check, met: null, candidate: null, detail: null, output: null, artifact: null };
  const { met, candidate, detail, output, artifact } = found;
  return { id, check, met, candidate, detail, output, artifact };
}

function workspaceDetails(row: Row): WorkspaceDetails | null {
  const { workspace } = row.contract;
  if (workspace === undefined) return null;
  return {
    git: workspace.git,
    ref: workspace.ref,
    base: row.base_commit,
    snapshot: row.snapshot,
    branch: row.committed?.branch ?? null,
    commit: row.committed?.commit ?? null,
  };
}
