import { openApprovals } from '../../ledger/queries/open-approvals';
import type { AttemptRef } from '../../protocol/ids';
import type { Session } from '../session';
import { find } from './find';

/**
 * The attempt whose request a person means that names a root: the descendant that the action's id begins with, or, where no
 * action is named and only one descendant asks, that one (R15.1). Otherwise the one that was named.
 */
export async function asking(session: Session, root: AttemptRef, action: string | undefined): Promise<AttemptRef> {
  const open = await openApprovals(session.pool, { tenant: root.tenant, attempt: root.key });
  const others = open.filter(({ attemptId }) => attemptId !== root.id);
  const meant =
    action === undefined
      ? open.length === 1 && others[0]
      : others.find(({ attemptId }) => action.startsWith(`${attemptId}/`));
  return meant ? await find(session, meant.attemptId) : root;
}
