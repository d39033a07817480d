import type { ViewRows } from '../activities/ledger-port';
import type { AttemptRef } from '../protocol/ids';
import { type AttemptColumns, attemptColumns, attemptRow } from './facts';
import { StepCache, type StepRow } from './step-cache';

type Query = <R extends object>(text: string, values: unknown[], name: string) => Promise<R[]>;

interface ViewColumns extends AttemptColumns {
  steps: StepRow[];
  inputs: ViewRows['inputs'];
  task_state: unknown;
}

const callsQuery = `
  select coalesce(json_agg(json_build_object('callId', c.call_id, 'tool', c.tool, 'args', c.args, 'output', o.body ->> 'text') order by c.index), '[]')
  from actions c left join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
  where c.attempt = s.attempt and c.step = s.step`;

/** One statement, so one round trip. Messages are always shown; feedback goes with the step it follows. */
const viewQuery = `
  select ${attemptColumns},
    (select coalesce(json_agg(json_build_object('step', s.step, 'body', s.body, 'calls', (${callsQuery})) order by s.step), '[]')
     from steps s where s.attempt = a.key and s.step >= $2) as steps,
    (select coalesce(json_agg(json_build_object('ordinal', ordinal, 'afterStep', after_step, 'kind', kind, 'text', body ->> 'text') order by ordinal), '[]')
     from inputs where attempt = a.key and (kind = 'message' or after_step >= $3)) as inputs,
    (select body from task_states where attempt = a.key order by n desc limit 1) as task_state
  from attempts a where a.key = $1`;

/** Reads the rows of history that the model's view is made of (R13.1); whole steps are kept, for they never change. */
export function createViewReader(query: Query): (ref: AttemptRef, fromStep: number) => Promise<ViewRows> {
  const cache = new StepCache();
  return async ({ key, id }, fromStep) => {
    const kept = cache.from(key, fromStep);
    // A step that came to nothing has no row, so the rows kept say where to go on and their number does not.
    const readFrom = (kept.at(-1)?.step ?? fromStep - 1) + 1;
    const [row] = await query<ViewColumns>(viewQuery, [key, readFrom, fromStep - 1], 'view');
    if (!row) throw new Error(`Attempt ${id} is not in the ledger.`);
    const steps = [...kept, ...row.steps];
    cache.keep(key, steps);
    return { attempt: attemptRow(key, row), steps, inputs: row.inputs, taskState: row.task_state };
  };
}
