import type { Pool } from 'pg';
import { inTransaction } from './in-transaction';
import type { UnsealRequest } from './unseal-test';

/** What a sealed test found of an attempt, the newest candidate first. */
export interface SealedFinding {
  readonly candidate: number;
  readonly at: string;
  /** As the evidence has it: what ran, its exit code, its output. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads it for an auditor, and notes in the same transaction that it was read. */
export function readSealed(
  pool: Pool,
  attempt: { readonly tenant: string; readonly task: string; readonly key: number },
  { criterion, by, reason }: Pick<UnsealRequest, 'criterion' | 'by' | 'reason'>,
): Promise<readonly SealedFinding[]> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<SealedFinding>(
      `select candidate, at::text, body from sealed_evidence where attempt = $1 and criterion = $2 order by candidate desc`,
      [attempt.key, criterion],
    );
    if (rows.length > 0)
      await client.query(
        `insert into sealed_acts (tenant, task, act, criterion, attempt, by_name, reason)
         values ($1, $2, 'read', $3, $4, $5, $6)`,
        [attempt.tenant, attempt.task, criterion, attempt.key, by, reason],
      );
    return rows;
  });
}
