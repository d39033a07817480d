import type { Pool } from 'pg';
import type { AttemptRef } from '../../protocol/ids';
import { type BodyRow, bodyText } from './body-text';

/** What a model proposed in one step, for a person who follows. */
export interface StepDetails {
  /** Null where the text is long and kept elsewhere. */
  readonly text: string | null;
  /** False: nobody knows what the model costs, and its answer counts as free. */
  readonly priceKnown: boolean;
  readonly actions: readonly {
    readonly index: number;
    readonly tool: string;
    readonly args: string | null;
    readonly output: string | null;
  }[];
}

const stepQuery = `select s.body,
    not exists (select 1 from model_tries t where t.attempt = s.attempt and t.step = s.step and price ->> 'known' = '0') as price_known,
    (select coalesce(json_agg(json_build_object('index', a.index, 'tool', a.tool, 'args', a.args, 'output', o.body ->> 'text') order by a.index), '[]')
     from actions a left join observations o on o.attempt = a.attempt and o.step = a.step and o.index = a.index
     where a.attempt = s.attempt and a.step = s.step) as actions
  from steps s where s.attempt = $1 and s.step = $2`;

/** Undefined where the step has no proposal. */
export async function stepDetails(pool: Pool, ref: AttemptRef, step: number): Promise<StepDetails | undefined> {
  const { rows } = await pool.query<{
    body: BodyRow;
    price_known: boolean;
    actions: { index: number; tool: string; args: BodyRow; output: string | null }[];
  }>({ name: 'step-details', text: stepQuery, values: [ref.key, step] });
  const [row] = rows;
  return (
    row && {
      text: bodyText(row.body),
      priceKnown: row.price_known,
      actions: row.actions.map((action) => ({ ...action, args: bodyText(action.args) })),
    }
  );
}
