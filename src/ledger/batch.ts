import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { jsonParam } from './json';

/**
 * Writes of one transaction, sent as one statement: a move writes to six tables or more, and a round trip for each
 * would cost more than the commit. Fragments must touch different rows, since they all see the state before.
 */
export class Batch {
  private readonly fragments: { sql: string; params: unknown[]; must: boolean }[] = [];
  private readonly inserts = new Map<string, { columns: string[]; rows: object[] }>();

  /** Throws where a row's columns are not those of the table's earlier rows. */
  insert(table: string, row: object): void {
    const columns = Object.keys(row);
    const known = this.inserts.get(table);
    if (!known) this.inserts.set(table, { columns, rows: [row] });
    else if (columns.length === known.columns.length && columns.every((column) => known.columns.includes(column)))
      known.rows.push(row);
    else
      throw new Error(`Rows of ${table} have different columns: ${known.columns.join(', ')} and ${columns.join(', ')}`);
  }

  /**
   * An update or delete with `$1`, `$2` … numbered for itself. `must`: it writes one row, or the transaction fails as one
   * that another got in the way of.
   */
  add(sql: string, params: unknown[], { must = false } = {}): void {
    this.fragments.push({ sql: must ? `${sql} returning 1` : sql, params, must });
  }

  async flush(client: PoolClient): Promise<void> {
    for (const [table, { columns, rows }] of this.inserts) {
      const names = columns.join(', ');
      this.add(
        `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [jsonParam(rows)],
      );
    }
    if (this.fragments.length === 0) return;
    const params: unknown[] = [];
    const parts = this.fragments.map((fragment, i) => {
      const offset = params.length;
      params.push(...fragment.params);
      return `w${i} as (${fragment.sql.replace(/\$(\d+)/g, (_match, n: string) => `$${Number(n) + offset}`)})`;
    });
    const musts = this.fragments.flatMap(({ must }, i) => (must ? [`must_write((select count(*) from w${i}))`] : []));
    const text = `with ${parts.join(', ')} select ${musts.join(', ')}`;
    await client.query({ name: statementName(text), text, values: params });
  }
}

/** The same text has the same name, so that a connection prepares it once. */
const names = new Map<string, string>();
function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `w${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}
