import { type AttemptPage, type ListedAttempt, type ListFilter, listAttempts } from '../../ledger/queries/attempt-list';
import type { Session } from '../session';
import { waitsFor } from './waits-for';

export interface ListedDocument extends ListedAttempt {
  /** Whom or what it waits for, in a few words; null where nobody. */
  readonly waitsFor: string | null;
}

export interface ListDocument extends Pick<AttemptPage, 'next'> {
  readonly attempts: readonly ListedDocument[];
}

/** What runs, what waits for whom, and what ended last. */
export async function attemptList(
  { pool, tenant }: Pick<Session, 'pool' | 'tenant'>,
  filter: ListFilter,
): Promise<ListDocument> {
  const { attempts, next } = await listAttempts(pool, tenant, filter);
  const waiting = await waitsFor(pool, tenant, attempts);
  return { attempts: attempts.map((one) => ({ ...one, waitsFor: waiting.get(one.attemptId) ?? null })), next };
}
