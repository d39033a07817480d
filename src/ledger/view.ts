import type { ViewRows } from '../activities/ledger-port';
import type { AttemptRef } from '../protocol/ids';
import { isOpenPhase } from './effects/phases';
import { type AttemptColumns, attemptColumns, attemptRow } from './facts';
import { StepCache, type StepRow } from './step-cache';

export type Query = <R extends object>(text: string, values: unknown[], name: string) => Promise<R[]>;

interface ViewColumns
  extends AttemptColumns,
    Pick<ViewRows, 'projection' | 'counted' | 'waiting' | 'lastTest' | 'inputs' | 'lastInput'> {
  steps: StepRow[];
  task_state: unknown;
}

const callsQuery = `
  select coalesce(json_agg(json_build_object('callId', c.call_id, 'tool', c.tool, 'args', c.args, 'output', o.body ->> 'text') order by c.index), '[]')
  from actions c left join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
  where c.attempt = s.attempt and c.step = s.step`;

/** Steps `s` of the attempt `$1`. */
export const stepsQuery = `
  select coalesce(json_agg(json_build_object('step', s.step, 'body', s.body, 'calls', (${callsQuery})) order by s.step), '[]') as steps
  from steps s where s.attempt = $1`;

/** A row of `effects`. */
export const effectItem = `json_build_object('step', step, 'index', index, 'tool', tool, 'target', target, 'phase', phase,
  'downstreamId', downstream_id, 'outcome', outcome)`;
/** A row `v` of `approvals`. */
export const approvalItem = `json_build_object('step', step, 'index', index, 'tool', tool, 'target', target, 'state', state, 'answers',
  (select coalesce(json_agg(json_strip_nulls(json_build_object('by', by_name, 'answer', answer, 'reason', reason)) order by at, by_name), '[]')
   from approval_answers y where y.attempt = v.attempt and y.step = v.step and y.index = v.index and y.ordinal = v.ordinal))`;

/** One statement, so one round trip. Messages are always shown; feedback goes with the step it follows. `$2`: the newest step that is kept. */
const viewQuery = `
  select ${attemptColumns}, to_json(p) as projection, to_json(t) as counted,
    (${stepsQuery} and s.step > greatest($2, coalesce(p."uptoStep", 0))) as steps,
    (select coalesce(json_agg(json_build_object('ordinal', ordinal, 'afterStep', after_step, 'kind', kind, 'text', body ->> 'text') order by ordinal), '[]')
     from inputs where attempt = a.key and (kind = 'message' or after_step = 0 or after_step > coalesce(p."uptoStep", 0))) as inputs,
    coalesce((select max(ordinal) from inputs where attempt = a.key), 0) as "lastInput",
    json_build_object('effects', (select coalesce(json_agg(${effectItem} order by claimed_at, step, index, generation), '[]')
       from effects where attempt = a.key and phase in ${isOpenPhase}),
     'approvals', (select coalesce(json_agg(${approvalItem} order by step, index), '[]')
       from approvals v where attempt = a.key and state = 'open')) as waiting,
    (select json_build_object('args', c.args, 'failing', o.failing_tests) from observations o join actions c using (attempt, step, index)
     where o.attempt = a.key and o.failing_tests is not null order by o.step desc, o.index desc limit 1) as "lastTest",
    (select body from task_states where attempt = a.key order by n desc limit 1) as task_state
  from attempts a left join lateral (select ordinal, upto_step as "uptoStep", body from projections where attempt = a.key order by ordinal desc limit 1) p on true
    left join lateral (select model, (reserved ->> 'inputTokens')::int as reserved, (usage ->> 'inputTokens')::int as reported
      from model_tries where attempt = a.key and purpose = 'step' and outcome = 'answered' and usage ->> 'estimated' is null
      order by step desc, try desc limit 1) t on true
  where a.key = $1`;

/** Reads the rows of history that the model's view is made of (R13.1); whole steps are kept, for they never change. */
export function createViewReader(query: Query): (ref: AttemptRef) => Promise<ViewRows> {
  const cache = new StepCache();
  return async ({ key, id }) => {
    const kept = cache.of(key);
    // A step that came to nothing has no row, so the rows kept say where to go on and their number does not.
    const [row] = await query<ViewColumns>(viewQuery, [key, kept.at(-1)?.step ?? 0], 'view');
    if (!row) throw new Error(`Attempt ${id} is not in the ledger.`);
    const { projection, counted, waiting, lastTest, inputs, lastInput } = row;
    const steps = [...kept.filter(({ step }) => step > (projection?.uptoStep ?? 0)), ...row.steps];
    cache.keep(key, steps);
    return {
      attempt: attemptRow(key, row),
      projection,
      counted,
      waiting,
      lastTest,
      steps,
      inputs,
      lastInput,
      taskState: row.task_state,
    };
  };
}
