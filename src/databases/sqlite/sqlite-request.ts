import type { QueryRows } from '../../domain/contract/query/query-rows';

/** What the reading process is told, and what it says; one JSON document each. */
export interface SqliteRequest {
  readonly file: string;
  readonly sql: string;
  readonly rowsMax: number;
  readonly bytesMax: number;
}
export type SqliteReply =
  | ({ readonly kind: 'rows' } & QueryRows)
  | { readonly kind: 'too_large' }
  | { readonly kind: 'writes'; readonly said: string }
  /** `code`: SQLite's own, such as `SQLITE_CANTOPEN`. */
  | { readonly kind: 'refused'; readonly code: string; readonly said: string };
