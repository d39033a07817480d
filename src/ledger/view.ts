import type { Body, ViewRows } from '../activities/ledger-port';
import type { AttemptRef } from '../protocol/ids';

type Query = <R extends object>(text: string, values: unknown[], name: string) => Promise<R[]>;

interface StepRow {
  step: number;
  body: Body;
  calls: { callId: string; tool: string; args: Body; output: string | null }[];
}

const stepsQuery = `
  select s.step, s.body,
    (select coalesce(json_agg(json_build_object('callId', a.call_id, 'tool', a.tool, 'args', a.args, 'output', o.body ->> 'text') order by a.index), '[]')
     from actions a left join observations o on o.attempt = a.attempt and o.step = a.step and o.index = a.index
     where a.attempt = s.attempt and a.step = s.step) as calls
  from steps s where s.attempt = $1 and s.step >= $2 order by s.step`;

/** Messages are always shown; feedback goes with the step it follows. */
const inputsQuery = `
  select ordinal, after_step as "afterStep", kind, body ->> 'text' as text from inputs
  where attempt = $1 and (kind = 'message' or after_step >= $2) order by ordinal`;

const taskStateQuery = 'select body from task_states where attempt = $1 order by n desc limit 1';

/** Rows of history that the model's view is made of (R13.1). */
export async function readView(query: Query, ref: AttemptRef, fromStep: number): Promise<ViewRows> {
  const [steps, inputs, states] = await Promise.all([
    query<StepRow>(stepsQuery, [ref.key, fromStep], 'view-steps'),
    query<ViewRows['inputs'][number]>(inputsQuery, [ref.key, fromStep - 1], 'view-inputs'),
    query<{ body: unknown }>(taskStateQuery, [ref.key], 'view-task-state'),
  ]);
  return { steps, inputs, taskState: states[0]?.body };
}
