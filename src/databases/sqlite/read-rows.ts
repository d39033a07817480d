import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import type { QueryValue } from '../../domain/contract/query/query-rows';
import { errorCode } from '../../domain/failure/error-code';
import type { SqliteReply, SqliteRequest } from './sqlite-request';

/** Runs the query and collects its rows, up to the limits. Never throws for what the file or the query is. */
export function readRows(request: SqliteRequest): SqliteReply {
  let database: Database.Database;
  try {
    // The package leaves its own option for that unread; SQLite itself does not.
    database = new Database(`${pathToFileURL(request.file).href}?mode=ro`);
  } catch (error) {
    return { kind: 'refused', code: 'SQLITE_CANTOPEN', said: wordsOf(error) };
  }
  try {
    return read(database, request);
  } catch (error) {
    const said = wordsOf(error);
    const code = errorCode(error) ?? 'SQLITE_ERROR';
    return code === 'SQLITE_READONLY' ? { kind: 'writes', said } : { kind: 'refused', code, said };
  } finally {
    database.close();
  }
}

const wordsOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

function read(database: Database.Database, { sql, rowsMax, bytesMax }: SqliteRequest): SqliteReply {
  const statement = database.prepare(sql);
  if (!statement.reader) return { kind: 'writes', said: 'it gives no rows' };
  const columns = statement.columns().map(({ name }) => name);
  const rows: QueryValue[][] = [];
  let bytes = 0;
  for (const found of statement.safeIntegers(true).raw(true).iterate()) {
    const row = (found as unknown[]).map(sqliteValue);
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (rows.length >= rowsMax || bytes > bytesMax) return { kind: 'too_large' };
    rows.push(row);
  }
  return { kind: 'rows', columns, rows };
}

/** As JSON has it, and as text where JSON would change it. */
function sqliteValue(value: unknown): QueryValue {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    default:
      return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : null;
  }
}
