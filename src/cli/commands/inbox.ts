import { inbox as readInbox } from '../../ledger/queries/inbox';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { note, paint, printJson } from '../output';
import type { Pending } from '../pending/pending';
import { pendingApproval } from '../pending/pending-approval';
import { pendingEffect } from '../pending/pending-effect';
import { pendingWord } from '../pending/pending-word';
import { renderPending } from '../pending/render-pending';
import { withSession } from '../session';
import { tell } from '../tell';

/** Everything that people of a tenant are waited for, each with the command that settles it. */
export function inbox(options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async ({ pool, tenant, config }) => {
    const { principals } = config.policy;
    const { approvals, unknownEffects, attempts } = await readInbox(pool, tenant);
    const pending: readonly Pending[] = [
      ...approvals.map((request) => pendingApproval(tenant, request, principals)),
      ...unknownEffects.map((effect) => pendingEffect(tenant, effect, principals)),
      ...attempts.map((attempt) => pendingWord(tenant, attempt, principals)),
    ];
    if (options.json) printJson(pending);
    else if (pending.length === 0) note(`Nobody is waited for in the tenant "${tenant}".`);
    else for (const line of pending.flatMap(lines)) tell({ tenant }, line);
    return exitCodes.done;
  });
}

function lines(pending: Pending, index: number): readonly string[] {
  return [...(index === 0 ? [] : ['']), paint('bold', pending.attemptId), ...renderPending(pending)];
}
