import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { DatabaseError, type QueryOptions } from '../../activities/ports';
import type { QueryRows } from '../../domain/contract/query/query-rows';
import { queryTooSlow, queryWrites, queryWrong, resultTooLarge } from '../query-errors';
import type { SqliteReply, SqliteRequest } from './sqlite-request';

/** Of a reader that fails before it can say why. */
const lastWordsMaxChars = 500;

/** One query on a file that is open for reading, in a process that ends with it, with its time, or with its caller. Throws DatabaseError. */
export async function querySqlite(
  file: string,
  sql: string,
  options: QueryOptions,
  nodeArguments: readonly string[],
): Promise<QueryRows> {
  const { signal, timeoutMs, rowsMax, bytesMax } = options;
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  const reply = await ask({ file, sql, rowsMax, bytesMax }, nodeArguments, ended);
  signal.throwIfAborted();
  if (reply === undefined) throw queryTooSlow(options);
  switch (reply.kind) {
    case 'rows':
      return { columns: reply.columns, rows: reply.rows };
    case 'too_large':
      throw resultTooLarge(options);
    case 'writes':
      throw queryWrites(reply.said);
    case 'refused':
      throw refused(reply);
  }
}

/** Undefined where `ended` came first. Rejects where the reader cannot be started or fails. */
function ask(
  request: SqliteRequest,
  nodeArguments: readonly string[],
  ended: AbortSignal,
): Promise<SqliteReply | undefined> {
  const reader = spawn(process.execPath, [...nodeArguments, join(__dirname, `sqlite-reader${extname(__filename)}`)], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    let complaint = '';
    const kill = () => void reader.kill('SIGKILL');
    ended.addEventListener('abort', kill, { once: true });
    reader.stdin.on('error', () => {}); // it has died; its end says so
    reader.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.endsWith('\n')) reader.stdin.end(); // it ends with its input
    });
    reader.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(-lastWordsMaxChars);
    });
    reader.once('error', reject);
    reader.once('close', () => {
      ended.removeEventListener('abort', kill);
      if (said.endsWith('\n')) resolve(JSON.parse(said));
      else if (ended.aborted) resolve(undefined);
      else reject(new Error(`The process that reads a SQLite file ended: ${complaint}`));
    });
    reader.stdin.write(`${JSON.stringify(request)}\n`);
  });
}

/** SQLite's own code says whether the file or the query is wrong. */
function refused({ code, said }: Extract<SqliteReply, { kind: 'refused' }>): DatabaseError {
  switch (code.split('_').slice(0, 2).join('_')) {
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return new DatabaseError(
        { class: 'environment_drift', code: 'DATABASE_UNREADABLE' },
        `The database file cannot be read: ${said}`,
        'The operator has to look at the file that the configuration names.',
      );
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return new DatabaseError(
        { class: 'tool_transient', code: 'BUSY' },
        `The database is busy: ${said}`,
        'Try again later.',
      );
    default:
      return queryWrong(said);
  }
}
