import type { Pool } from 'pg';

export interface LedgerReading {
  /** Tables of the ledger with their indexes, bytes; without the maps of free pages, which do not grow with rows. */
  readonly bytes: number;
  /** Transactions of the whole server so far that wrote, or locked a row. */
  readonly writes: number;
  /** Bytes of write-ahead log so far. */
  readonly walBytes: number;
  readonly atMs: number;
}

/**
 * Reads what the ledger has cost so far. Writing transactions are counted by the numbers that the server gives them: exact
 * at once, while its statistics lag by seconds and count reads too.
 */
export async function readLedger(pool: Pool): Promise<LedgerReading> {
  const { rows } = await pool.query<{ bytes: string; writes: string; wal: string }>(
    `select (select sum(pg_relation_size(oid)) from pg_class
             where relnamespace = 'holdfast'::regnamespace and relkind in ('r', 'i')) as bytes,
            pg_snapshot_xmax(pg_current_snapshot())::text as writes,
            (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as wal`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return { bytes: Number(row.bytes), writes: Number(row.writes), walBytes: Number(row.wal), atMs: performance.now() };
}
