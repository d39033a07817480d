import type { Pool } from 'pg';
import type { Account } from '../../domain/budget/account';
import type { TaskKind } from '../../domain/contract/contract';
import type { StartSnapshot } from '../../protocol/attempt';
import type { AttemptRef } from '../../protocol/ids';
import type { StartRecord } from '../insert-attempt';
import type { BodyRow } from './body-text';

/** What a decision about an action is made from (R5.1), as it stands now, and the decision that was made of it. */
export interface ActionFacts {
  readonly tool: string;
  readonly args: BodyRow;
  readonly contract: { readonly kind: TaskKind; readonly version: number };
  readonly startedBy: string;
  readonly start: StartSnapshot;
  readonly account: Account;
  readonly tainted: boolean;
  /** The newest; null where none was made, or it came to no try, request or denial. */
  readonly decided: { readonly rule: string; readonly policy: string } | null;
}

interface Row {
  tool: string;
  args: BodyRow;
  kind: TaskKind;
  version: number;
  start: StartRecord;
  account: Account;
  tainted: boolean;
  decided: ActionFacts['decided'];
}

const factsQuery = `select c.tool, c.args, k.body ->> 'kind' as kind, k.version, a.start, a.account, a.tainted,
    (select json_build_object('rule', d.rule, 'policy', d.policy) from (
       select rule, policy, opened_at as at from tool_tries
         where attempt = a.key and step = c.step and index = c.index and rule is not null
       union all select rule, policy, at from approvals where attempt = a.key and step = c.step and index = c.index
       union all select payload ->> 'rule', payload ->> 'policy', at from events
         where attempt = a.key and type = 'action_denied' and step = c.step and (payload ->> 'index')::int = c.index
     ) d order by d.at desc limit 1) as decided
  from attempts a join actions c on c.attempt = a.key
    join contracts k on k.tenant = a.tenant and k.task = a.task and k.version = a.contract_version
  where a.key = $1 and c.step = $2 and c.index = $3`;

/** Undefined where the attempt has no such action. Rejects where the database cannot be reached. */
export async function actionFacts(
  pool: Pool,
  ref: AttemptRef,
  { step, index }: { readonly step: number; readonly index: number },
): Promise<ActionFacts | undefined> {
  const { rows } = await pool.query<Row>(factsQuery, [ref.key, step, index]);
  const [row] = rows;
  return (
    row && {
      tool: row.tool,
      args: row.args,
      contract: { kind: row.kind, version: row.version },
      startedBy: row.start.startedBy ?? '',
      start: row.start.snapshot,
      account: row.account,
      tainted: row.tainted,
      decided: row.decided,
    }
  );
}
