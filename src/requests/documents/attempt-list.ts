import { type ListedAttempt, listAttempts } from '../../ledger/queries/attempt-list';
import type { Session } from '../session';
import { waitsFor } from './waits-for';

export interface ListRequest {
  readonly openOnly: boolean;
  readonly limit: number;
}

export interface ListedDocument extends ListedAttempt {
  /** Whom or what it waits for, in a few words; null where nobody. */
  readonly waitsFor: string | null;
}

/** What runs, what waits for whom, and what ended last. */
export async function attemptList(
  { pool, tenant }: Pick<Session, 'pool' | 'tenant'>,
  request: ListRequest,
): Promise<readonly ListedDocument[]> {
  const attempts = await listAttempts(pool, tenant, request);
  const waiting = await waitsFor(pool, tenant, attempts);
  return attempts.map((attempt) => ({ ...attempt, waitsFor: waiting.get(attempt.attemptId) ?? null }));
}
