import type { Pool } from 'pg';
import type { AttemptState, Reason } from '../../domain/attempt/states';
import type { EventContent } from '../../protocol/events';
import { attemptId } from '../../protocol/ids';
import { type LastStep, type LastStepRow, lastStepColumn, lastStepOf } from './last-step';
import { type OpenApproval, openApprovals } from './open-approvals';
import { type Trouble, type TroubleRow, troubleColumn, troubleOf } from './trouble';
import { type UnknownEffect, unknownEffects } from './unknown-effects';

/** All that people of a tenant are waited for, the oldest first in each list. */
export interface Inbox {
  readonly approvals: readonly OpenApproval[];
  readonly unknownEffects: readonly UnknownEffect[];
  readonly attempts: readonly WaitingAttempt[];
}

/** An attempt that goes on when somebody says something: it asked, stopped, or is suspended. */
export interface WaitingAttempt {
  readonly attemptId: string;
  readonly state: Extract<AttemptState, 'WAITING_FOR_USER' | 'SUSPENDED'>;
  readonly reason: Reason | null;
  readonly lastStep: LastStep | null;
  readonly trouble: Trouble | null;
  /** The limit that it is suspended about. */
  readonly exceeded: LimitPassed | null;
}
export type LimitPassed = Extract<EventContent, { type: 'budget_exceeded' }>['payload'];

/** Of attempt `a`: the limit that its newest suspension for a limit was about, as JSON. */
export const exceededColumn = `(select payload from events where attempt = a.key and type = 'budget_exceeded' order by sequence desc limit 1)`;

const waitingQuery = `select a.task, a.number, a.state, a.reason, ${lastStepColumn} as last_step, ${troubleColumn} as trouble,
    case when a.reason = 'budget_exceeded' then ${exceededColumn} end as exceeded
  from attempts a where a.tenant = $1 and a.ended_at is null and a.state in ('WAITING_FOR_USER', 'SUSPENDED') order by a.key`;

interface Row {
  task: string;
  number: number;
  state: WaitingAttempt['state'];
  reason: Reason | null;
  last_step: LastStepRow | null;
  trouble: TroubleRow | null;
  exceeded: LimitPassed | null;
}

/** Rejects where the database cannot be reached. */
export async function inbox(pool: Pool, tenant: string): Promise<Inbox> {
  const [approvals, unknown, { rows }] = await Promise.all([
    openApprovals(pool, { tenant }),
    unknownEffects(pool, { tenant }),
    pool.query<Row>(waitingQuery, [tenant]),
  ]);
  const attempts = rows.map(({ task, number, state, reason, last_step, trouble, exceeded }) => {
    const id = attemptId(task, number);
    return {
      attemptId: id,
      state,
      reason,
      lastStep: lastStepOf(id, last_step),
      trouble: troubleOf(trouble),
      exceeded,
    };
  });
  return { approvals, unknownEffects: unknown, attempts };
}
