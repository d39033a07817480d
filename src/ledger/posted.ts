import type { Pool } from 'pg';
import type { Caller } from '../protocol/roles';

/** A POST under an Idempotency-Key; keys are the caller's own. */
export interface Posted {
  readonly caller: Pick<Caller, 'tenant' | 'principal'>;
  readonly key: string;
  /** SHA-256 of method, path and body. */
  readonly request: Buffer;
}
export interface PostedAnswer {
  readonly status: number;
  readonly body: unknown;
}
export type PostedBefore =
  | { readonly kind: 'first' }
  | { readonly kind: 'answered'; readonly answer: PostedAnswer }
  /** Somebody works on it at this moment. */
  | { readonly kind: 'under_way' }
  | { readonly kind: 'another_request' };

/** Longer than any answer takes: whoever began so long ago is gone, and the same request may be done again. */
const underWayMaxMs = 30_000;

/** Takes the key for this request, or says what became of it. What a process left half done is the next one's, ms after. */
export async function takePosted(pool: Pool, { caller, key, request }: Posted): Promise<PostedBefore> {
  const place = [caller.tenant, caller.principal, key];
  const { rowCount } = await pool.query(
    `insert into posted (tenant, principal, key, request) values ($1, $2, $3, $4)
     on conflict (tenant, principal, key) do update set at = clock_timestamp()
       where posted.status is null and posted.request = excluded.request
         and posted.at < clock_timestamp() - $5 * interval '1 ms'`,
    [...place, request, underWayMaxMs],
  );
  if (rowCount === 1) return { kind: 'first' };
  const { rows } = await pool.query<{ same: boolean; status: number | null; body: unknown }>(
    `select request = $4 as same, status, body from posted where tenant = $1 and principal = $2 and key = $3`,
    [...place, request],
  );
  const [row] = rows;
  if (row === undefined) return { kind: 'under_way' };
  if (!row.same) return { kind: 'another_request' };
  if (row.status === null) return { kind: 'under_way' };
  return { kind: 'answered', answer: { status: row.status, body: row.body } };
}

/** What the same request is told from now on. */
export async function answerPosted(pool: Pool, { caller, key }: Posted, answer: PostedAnswer): Promise<void> {
  await pool.query(`update posted set status = $4, body = $5 where tenant = $1 and principal = $2 and key = $3`, [
    caller.tenant,
    caller.principal,
    key,
    answer.status,
    JSON.stringify(answer.body),
  ]);
}

/** The request did not come to an answer of its own: whoever sends it again does it anew. */
export async function dropPosted(pool: Pool, { caller, key }: Posted): Promise<void> {
  await pool.query(`delete from posted where tenant = $1 and principal = $2 and key = $3 and status is null`, [
    caller.tenant,
    caller.principal,
    key,
  ]);
}

/** Deletes what is older than a client tries again. Returns how many. */
export async function forgetPosted(pool: Pool, olderThanMs: number): Promise<number> {
  const { rowCount } = await pool.query(`delete from posted where at < clock_timestamp() - $1 * interval '1 ms'`, [
    olderThanMs,
  ]);
  return rowCount ?? 0;
}
