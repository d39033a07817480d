import { findAttempt } from '../ledger/queries/find-attempt';
import type { AttemptRef } from '../protocol/ids';
import { Problem } from './problem';
import type { Asked } from './route';

/** The attempt that the path names, by its whole id: programs say what they mean. Throws Problem `not_found`. */
export async function findHere({ session, params }: Pick<Asked, 'session' | 'params'>): Promise<AttemptRef> {
  const { id = '' } = params;
  const found = await findAttempt(session.pool, session.tenant, id);
  if (found.kind === 'found' && found.ref.id === id) return found.ref;
  // The same words whether it is another tenant's or nobody's.
  throw new Problem('not_found', `There is no attempt "${id}".`);
}
