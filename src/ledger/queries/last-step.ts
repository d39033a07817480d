import { actionId } from '../../protocol/ids';
import { type BodyRow, bodyText } from './body-text';

/** The newest proposal: what it said, and what it called. */
export interface LastStep {
  readonly step: number;
  readonly text: string | null;
  readonly actions: readonly { readonly actionId: string; readonly tool: string; readonly args: string | null }[];
}

export interface LastStepRow {
  readonly step: number;
  readonly body: BodyRow;
  readonly actions: readonly { readonly index: number; readonly tool: string; readonly args: BodyRow }[];
}

/** Of attempt `a`, as JSON; null where no model has answered. */
export const lastStepColumn = `(select json_build_object('step', s.step, 'body', s.body, 'actions',
       (select coalesce(json_agg(json_build_object('index', x.index, 'tool', x.tool, 'args', x.args) order by x.index), '[]')
        from actions x where x.attempt = s.attempt and x.step = s.step))
     from steps s where s.attempt = a.key order by s.step desc limit 1)`;

export function lastStepOf(attemptId: string, row: LastStepRow | null): LastStep | null {
  if (row === null) return null;
  const { step, body, actions } = row;
  return {
    step,
    text: bodyText(body),
    actions: actions.map(({ index, tool, args }) => ({
      actionId: actionId(attemptId, step, index),
      tool,
      args: bodyText(args),
    })),
  };
}
