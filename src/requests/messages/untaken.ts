import { liveWorkers } from '../../ledger/queries/live-workers';
import type { AttemptRef } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';
import type { Session } from '../session';

/**
 * What to say of a message that nobody has taken yet: it is stored, and taken later by itself. Rejects with RequestRefused where
 * no worker lives that could take it.
 */
export async function untaken({ pool }: Session, ref: AttemptRef, kind: string): Promise<string> {
  if ((await liveWorkers(pool)) === 0) {
    throw new RequestRefused(
      'no_worker',
      `The ${kind} is stored, but no worker runs that could take it.`,
      'Start one: `holdfast up`; it is taken then. `holdfast doctor` says what else is missing.',
    );
  }
  return `The ${kind} is stored; ${ref.id} takes it when what it does now is over. \`holdfast watch ${ref.id}\` shows that.`;
}
