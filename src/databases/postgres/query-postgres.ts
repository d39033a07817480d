import { Client, type ClientConfig } from 'pg';
import { DatabaseError, type QueryOptions } from '../../activities/ports';
import type { QueryRows } from '../../domain/contract/query/query-rows';
import { errorCode } from '../../domain/failure/error-code';
import { classifyThrown } from '../../domain/failure/thrown';
import { queryTooSlow, queryWrites, queryWrong, resultTooLarge } from '../query-errors';
import { withinLimits } from '../within-limits';
import { CountedSocket } from './counted-socket';
import { postgresValue } from './postgres-value';

/** A database that is just starting takes less, ms. */
const connectTimeoutMs = 10_000;
/** The server stops a statement by itself; one that does not answer is left alone this much later, ms. */
const serverGraceMs = 2_000;
/** On the wire each value has a length before it, and a number may be longer than in JSON. */
const wireFactor = 4;
/** What a server says of itself before and after the rows takes less, bytes. */
const greetingBytes = 64 * 1024;

/** One statement in a transaction of its own that cannot write and sees one moment of the database. Throws DatabaseError. */
export async function queryPostgres(url: string | undefined, sql: string, options: QueryOptions): Promise<QueryRows> {
  if (url === undefined) throw unreachable('UNCONFIGURED', 'the variable that holds its address is not set');
  options.signal.throwIfAborted();
  const socket = new CountedSocket(options.bytesMax * wireFactor + greetingBytes);
  const client = new Client({ ...clientConfig(url, options), stream: () => socket });
  client.on('error', () => {}); // the statement fails with it
  try {
    return withinLimits(await inReadOnly(client, url, sql, options), options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof DatabaseError) throw error;
    throw socket.cut ? resultTooLarge(options) : inWords(error, options);
  } finally {
    await client.end().catch(() => {});
    socket.destroy();
  }
}

const clientConfig = (url: string, { timeoutMs }: QueryOptions): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: Math.min(connectTimeoutMs, timeoutMs),
  query_timeout: timeoutMs + serverGraceMs,
  application_name: 'holdfast check',
});

async function inReadOnly(client: Client, url: string, sql: string, options: QueryOptions): Promise<QueryRows> {
  await client.connect();
  await client.query('begin transaction isolation level repeatable read read only');
  await client.query(`set local statement_timeout = ${Math.max(1, Math.floor(options.timeoutMs))}`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const cancel = () => void cancelStatement(url, rows[0]?.pid, client);
  options.signal.addEventListener('abort', cancel, { once: true });
  try {
    options.signal.throwIfAborted();
    // The extended protocol takes one statement, whatever the text says.
    const query = { text: sql, values: [], rowMode: 'array', queryMode: 'extended', types: asText } as const;
    const result = await client.query<(string | null)[]>(query as never);
    const columns = result.fields.map(({ name }) => name);
    const oids = result.fields.map(({ dataTypeID }) => dataTypeID);
    return { columns, rows: result.rows.map((row) => row.map((text, index) => postgresValue(text, oids[index] ?? 0))) };
  } finally {
    options.signal.removeEventListener('abort', cancel);
  }
}

const asText = { getTypeParser: () => (text: string) => text };

/** A server does not notice at once that nobody waits any more. */
async function cancelStatement(url: string, pid: number | undefined, waiting: Client): Promise<void> {
  const other = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [pid]);
  } catch {
    // Its own time limit ends it.
  } finally {
    await other.end().catch(() => {});
    await waiting.end().catch(() => {});
  }
}

function inWords(error: unknown, options: QueryOptions): DatabaseError {
  const said =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
  if (/timeout/i.test(said) && errorCode(error) === undefined) return queryTooSlow(options); // the driver's own limit has no code
  switch (errorCode(error)) {
    case '25006':
      return queryWrites(said);
    case '57014':
      return queryTooSlow(options);
  }
  const failure = classifyThrown(error) ?? { class: 'tool_transient', code: 'DATABASE_AWAY' };
  if (failure.class === 'tool_argument') return queryWrong(said);
  if (failure.class === 'tool_transient') return unreachable(failure.code, said);
  return new DatabaseError(failure, `The database refused it: ${said}`, 'The operator has to look at the database.');
}

function unreachable(code: string, why: string): DatabaseError {
  const passes = code !== 'UNCONFIGURED';
  return new DatabaseError(
    passes ? { class: 'tool_transient', code } : { class: 'unrecoverable', code: 'DATABASE_UNCONFIGURED' },
    `The database cannot be reached: ${why}.`,
    passes ? 'Try again later.' : 'The operator has to set the variable that the configuration names.',
  );
}
