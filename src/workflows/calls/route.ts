import { hostTaskQueue } from '../../protocol/ids';
import { hostTakesMaxMs, hostTakesMs } from '../limits';
import type { Plan } from './plan';

/** What decides where a call is sent. */
export interface Whereabouts {
  /** The attempt has a worktree, and workers have data folders of their own. */
  readonly many: boolean;
  /** The host that has the worktree, as far as an answer has said. */
  readonly host: string | undefined;
  /** How the last execution of this call ended, where it gave no answer. */
  readonly before: string | undefined;
  /** Times that its host was said to live, and did not take it. */
  readonly notTaken: number;
}

/**
 * Where a call that needs the worktree is sent (R15.1); no part of it is compared (M1).
 *
 *   I1  It goes to the host that has the worktree; to any where none has it yet.
 *   I2  Where that host gave no answer, any host may open it: that one sees in the ledger whether the other lives, and takes over or
 *       says so, and then it goes there again.
 *   I3  A host that was named by an `elsewhere` is asked, whatever the plan was made of: a tool can be another one by now.
 *   I4  Each time it waits there twice as long, so that a host that is only busy fills no history.
 */
export function route(plan: Plan, { many, host, before, notTaken }: Whereabouts): Plan {
  if (!many || (!plan.workspace && before !== 'elsewhere')) return plan;
  const regular = { ...plan, lane: 'regular' } as const;
  const isLeft = before === 'not_taken' || before === 'lost' || before === 'stopped';
  if (host === undefined || isLeft) return regular;
  const scheduleToStartMs = Math.min(hostTakesMs * 2 ** notTaken, hostTakesMaxMs);
  return { ...regular, queue: hostTaskQueue(host), scheduleToStartMs };
}
