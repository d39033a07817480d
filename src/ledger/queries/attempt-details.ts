import type { Pool } from 'pg';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import type { Account, Limits } from '../../domain/budget/account';
import type { Contract, Criterion } from '../../domain/contract/contract';
import { type AttemptRef, actionId, workflowId } from '../../protocol/ids';
import type { StartRecord } from '../start-attempt';
import { type BodyRow, bodyText } from './body-text';
import { type Trouble, type TroubleRow, troubleColumn, troubleOf } from './trouble';

/** All about one attempt. */
export interface AttemptDetails {
  readonly attemptId: string;
  readonly taskId: string;
  readonly workflowId: string;
  readonly kind: Contract['kind'];
  readonly goal: string;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly taskCompletion: string | null;
  readonly modelStop: string | null;
  readonly turn: number;
  readonly step: number;
  readonly budget: { readonly limits: Limits; readonly used: Account };
  readonly checks: readonly CheckedCriterion[];
  readonly effects: readonly EffectRow[];
  /** The newest proposal: what it said, and what it called. */
  readonly lastStep: LastStep | null;
  /** The limit that the newest suspension was about. */
  readonly exceeded: { readonly limit: string; readonly used: number; readonly max: number } | null;
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
/** An action that changes something, with what became of its newest try. */
export interface EffectRow {
  readonly actionId: string;
  readonly tool: string;
  readonly effect: string;
  readonly argsHash: string;
  readonly tries: number;
  readonly outcome: string | null;
}
export interface LastStep {
  readonly step: number;
  readonly text: string | null;
  readonly actions: readonly { readonly actionId: string; readonly tool: string; readonly args: string | null }[];
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
  effects: {
    step: number;
    index: number;
    tool: string;
    effect: string;
    argsHash: string;
    tries: number;
    outcome: string | null;
  }[];
  last_step: { step: number; body: BodyRow; actions: { index: number; tool: string; args: BodyRow }[] } | null;
  waiting: { id: string; kind: string }[];
  committed: { branch: string; commit: string } | null;
  exceeded: AttemptDetails['exceeded'];
  trouble: TroubleRow | null;
  price_unknown: boolean;
}

// One statement, so that all of it is of one moment.
const detailsQuery = `select a.task, a.contract_version, c.body as contract, a.start, a.state, a.reason, a.model_stop, a.task_completion,
    a.turn, a.step, a.account, a.limits, a.base_commit, a.snapshot, a.created_at, a.ended_at,
    a.workflow_started_at is not null as workflow_started, a.sequence,
    (select coalesce(json_agg(e), '[]') from (
       select distinct on (criterion) criterion, met, candidate, body ->> 'detail' as detail,
         body ->> 'output' as output, body -> 'artifact' as artifact
       from evidence where attempt = a.key order by criterion, candidate desc) e) as evidence,
    (select coalesce(json_agg(f order by f.step, f.index), '[]') from (
       select x.step, x.index, x.tool, x.effect, x.args_hash as "argsHash",
         (select count(*) from tool_tries t where t.attempt = x.attempt and t.step = x.step and t.index = x.index)::int as tries,
         (select outcome from tool_tries t where t.attempt = x.attempt and t.step = x.step and t.index = x.index
          order by try desc, execution desc limit 1) as outcome
       from actions x where x.attempt = a.key and x.effect not in ('none', 'control')) f) as effects,
    (select json_build_object('step', s.step, 'body', s.body, 'actions',
       (select coalesce(json_agg(json_build_object('index', x.index, 'tool', x.tool, 'args', x.args) order by x.index), '[]')
        from actions x where x.attempt = s.attempt and x.step = s.step))
     from steps s where s.attempt = a.key order by s.step desc limit 1) as last_step,
    (select coalesce(json_agg(json_build_object('id', id, 'kind', kind) order by ordinal), '[]')
     from inbox where attempt = a.key and taken_by is null) as waiting,
    (select payload from events where attempt = a.key and type = 'committed' order by sequence desc limit 1) as committed,
    (select payload from events where attempt = a.key and type = 'budget_exceeded' order by sequence desc limit 1) as exceeded,
    exists (select 1 from model_tries where attempt = a.key and price ->> 'known' = '0') as price_unknown,
    ${troubleColumn} as trouble
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = a.contract_version
  where a.key = $1`;

/** Rejects where the database cannot be reached. */
export async function attemptDetails(pool: Pool, ref: AttemptRef): Promise<AttemptDetails> {
  const { rows } = await pool.query<Row>(detailsQuery, [ref.key]);
  const [row] = rows;
  if (row === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  return {
    attemptId: ref.id,
    taskId: row.task,
    workflowId: workflowId(ref.tenant, ref.id),
    kind: row.contract.kind,
    goal: row.contract.goal,
    state: row.state,
    reason: row.reason,
    taskCompletion: row.task_completion,
    modelStop: row.model_stop,
    turn: row.turn,
    step: row.step,
    budget: { limits: row.limits, used: row.account },
    checks: row.contract.acceptance.map((criterion) => checkedCriterion(criterion, row.evidence)),
    effects: row.effects.map(({ step, index, ...effect }) => ({ actionId: actionId(ref.id, step, index), ...effect })),
    lastStep: lastStep(ref, row),
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

function checkedCriterion({ id, check }: Criterion, evidence: Row['evidence']): CheckedCriterion {
  const found = evidence.find(({ criterion }) => criterion === id);
  if (found === undefined) return { id, check, met: null, candidate: null, detail: null, output: null, artifact: null };
  const { met, candidate, detail, output, artifact } = found;
  return { id, check, met, candidate, detail, output, artifact };
}

function lastStep(ref: AttemptRef, { last_step: last }: Row): LastStep | null {
  if (last === null) return null;
  const { step, body, actions } = last;
  return {
    step,
    text: bodyText(body),
    actions: actions.map(({ index, tool, args }) => ({
      actionId: actionId(ref.id, step, index),
      tool,
      args: bodyText(args),
    })),
  };
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
