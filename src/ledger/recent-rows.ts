import type { PoolClient } from 'pg';
import type { FailureClass } from '../domain/failure/failure';

/** What was left since a step, for who lost track of an attempt. */
export interface RecentRows {
  readonly taskState: unknown;
  /** The newest message of the user came after this step; -1 where there is none. */
  readonly heardAfter: number;
  /** Steps in which projections were made; in order. */
  readonly compactedAt: readonly number[];
  readonly plans: readonly { readonly step: number; readonly index: number; readonly body: unknown }[];
  /** Calls with a fingerprint, by their newest try; in order. */
  readonly calls: readonly CallRow[];
}
export interface CallRow {
  readonly step: number;
  readonly index: number;
  readonly print: string;
  readonly likeness: string | null;
  readonly stepless: string | null;
  readonly environment: string | null;
  readonly sent: boolean;
  readonly poll: boolean;
  /** Why nothing of it ran; null where it ran. */
  readonly failure: string | null;
  /** Null as long as nothing was observed of it. */
  readonly seen: {
    readonly ok: boolean;
    readonly answer: string | null;
    readonly tokens: number;
    readonly foundNothing: boolean;
    readonly snapshot: string | null;
    readonly failureClass: FailureClass | null;
    readonly failingTests: number | null;
  } | null;
}

const newestTries = `
  select distinct on (step, index) step, index, fingerprint, likeness, stepless, snapshot, sent, poll, outcome, failure
  from tool_tries where attempt = $1 and step >= $2 and fingerprint is not null
  order by step, index, try desc, execution desc`;

const query = `
  select (select body from task_states where attempt = $1 order by n desc limit 1) as "taskState",
    (select coalesce(max(after_step), -1) from inputs where attempt = $1 and kind = 'message') as "heardAfter",
    (select coalesce(json_agg(step order by step), '[]') from projections where attempt = $1 and step >= $2) as "compactedAt",
    (select coalesce(json_agg(json_build_object('step', step, 'index', index, 'body', body) order by n), '[]')
     from task_states where attempt = $1 and step >= $2) as plans,
    (select coalesce(json_agg(json_build_object('step', t.step, 'index', t.index, 'print', encode(t.fingerprint, 'hex'),
       'likeness', encode(t.likeness, 'hex'), 'stepless', encode(t.stepless, 'hex'), 'environment', t.snapshot, 'sent', t.sent, 'poll', t.poll,
       'failure', case when t.outcome = 'not_run' then t.failure end,
       'seen', case when o.step is not null then json_build_object('ok', o.ok, 'answer', encode(o.result_hash, 'hex'),
         'tokens', o.tokens, 'foundNothing', o.found_nothing, 'snapshot', o.snapshot, 'failureClass', o.failure_class, 'failingTests', o.failing_tests) end)
       order by t.step, t.index), '[]')
     from (${newestTries}) t left join observations o on o.attempt = $1 and o.step = t.step and o.index = t.index) as calls`;

export async function readRecent(client: PoolClient, attempt: number, from: number): Promise<RecentRows> {
  const { rows } = await client.query<RecentRows>({ name: 'recent', text: query, values: [attempt, from] });
  const [row] = rows;
  if (!row) throw new Error('A query without conditions had no row.');
  return row;
}
