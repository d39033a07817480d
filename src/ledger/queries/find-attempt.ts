import type { Pool } from 'pg';
import { type AttemptRef, attemptId } from '../../protocol/ids';

export type FoundAttempt =
  | { readonly kind: 'found'; readonly ref: AttemptRef }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] };

/** As many as a person reads at a glance to choose from. */
const shownCandidates = 5;

const byPrefix = `select key, task, number from attempts
  where tenant = $1 and starts_with(task || '/' || number, $2)
  order by (task || '/' || number = $2) desc, created_at desc, key desc limit $3`;
const newest = 'select key, task, number from attempts where tenant = $1 order by created_at desc, key desc limit 1';

/** The attempt that `given` means: its id, a prefix that no other has, or `@last` for the newest of the tenant. */
export async function findAttempt(pool: Pool, tenant: string, given: string): Promise<FoundAttempt> {
  const { rows } = await (given === '@last'
    ? pool.query<Row>(newest, [tenant])
    : pool.query<Row>(byPrefix, [tenant, given, shownCandidates]));
  const refs = rows.map(({ key, task, number }) => ({ tenant, key: Number(key), id: attemptId(task, number) }));
  const [first] = refs;
  if (first === undefined) return { kind: 'none' };
  if (refs.length === 1 || first.id === given) return { kind: 'found', ref: first };
  return { kind: 'ambiguous', ids: refs.map(({ id }) => id) };
}

interface Row {
  key: number;
  task: string;
  number: number;
}
