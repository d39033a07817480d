import { inbox as readInbox } from '../../ledger/queries/inbox';
import type { Pending } from '../pending/pending';
import { pendingApproval } from '../pending/pending-approval';
import { pendingEffect } from '../pending/pending-effect';
import { pendingWord } from '../pending/pending-word';
import type { Session } from '../session';

/** Everything that people of a tenant are waited for, each with the command that settles it. */
export async function inboxDocument({
  pool,
  tenant,
  config,
}: Pick<Session, 'pool' | 'tenant' | 'config'>): Promise<readonly Pending[]> {
  const { principals } = config.policy;
  const { approvals, unknownEffects, attempts } = await readInbox(pool, tenant);
  return [
    ...approvals.map((request) => pendingApproval(tenant, request, principals)),
    ...unknownEffects.map((effect) => pendingEffect(tenant, effect, principals)),
    ...attempts.map((attempt) => pendingWord(tenant, attempt, principals)),
  ];
}
