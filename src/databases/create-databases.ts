import { DatabaseError, type DatabasePort, type QueryOptions } from '../activities/ports';
import type { DatabaseConfig } from './database-config';
import { queryPostgres } from './postgres/query-postgres';
import { readingStatement } from './reading-statement';
import { querySqlite } from './sqlite/query-sqlite';

/**
 * The databases that configuration names.
 *
 *   I1  Nothing that a statement says can write: what is no single reading statement is refused before it is sent, and the
 *       transaction or the file that it runs on is open for reading alone.
 *   I2  A statement that does not end in time is ended where it runs, and so is one whose caller has gone.
 */
export function createDatabases(
  databases: Readonly<Record<string, DatabaseConfig>>,
  /** Of Node, for the process that reads a SQLite file; tests change it. */
  nodeArguments: readonly string[] = [],
): DatabasePort {
  return {
    names: () => Object.keys(databases),
    async query(database, sql, asked) {
      const config = databases[database];
      if (!config || !Object.hasOwn(databases, database)) throw unknownDatabase(database, Object.keys(databases));
      const statement = readingStatement(sql); // I1
      const options: QueryOptions = {
        ...asked,
        timeoutMs: Math.min(asked.timeoutMs, config.timeoutMs ?? asked.timeoutMs),
      };
      switch (config.kind) {
        case 'postgres':
          return queryPostgres(config.url(), statement, options);
        case 'sqlite':
          return querySqlite(config.file, statement, options, nodeArguments);
      }
    },
  };
}

const unknownDatabase = (name: string, names: readonly string[]) =>
  new DatabaseError(
    { class: 'tool_argument', code: 'DATABASE_UNKNOWN' },
    `No database is named ${name}.`,
    names.length === 0 ? 'Go on without one.' : `Use one of: ${names.join(', ')}.`,
  );
