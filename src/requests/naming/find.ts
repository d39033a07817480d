import { findAttempt } from '../../ledger/queries/find-attempt';
import type { AttemptRef } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';
import type { Session } from '../session';

/** The attempt that a person names by id, prefix or `@last`. Rejects with RequestRefused where it is none or several. */
export async function find({ pool, tenant }: Session, given: string): Promise<AttemptRef> {
  const found = await findAttempt(pool, tenant, given);
  switch (found.kind) {
    case 'found':
      return found.ref;
    case 'none':
      throw new RequestRefused(
        'not_found',
        given === '@last'
          ? `The tenant "${tenant}" has no attempt.`
          : `The tenant "${tenant}" has no attempt "${given}".`,
        '`holdfast list` shows those that there are.',
      );
    case 'ambiguous':
      throw new RequestRefused(
        'ambiguous',
        `"${given}" is the beginning of several attempts.`,
        `Name one: ${found.ids.join(', ')}`,
      );
  }
}
