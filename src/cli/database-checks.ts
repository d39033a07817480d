import { DatabaseError } from '../activities/ports';
import type { Config } from '../config';
import { createDatabases } from '../databases/create-databases';
import type { Check, CheckResult } from '../embedded/checks';

/** A database that does not answer `select 1` in this time answers no question, ms. */
const answerMaxMs = 5_000;

/** One check for each database that tasks may ask; tests change what the process that reads a file is started with. */
export function databaseChecks(
  { databases }: Pick<Config, 'databases'>,
  nodeArguments?: readonly string[],
): readonly Check[] {
  const port = createDatabases(databases, nodeArguments);
  return port.names().map((name) => ({
    name: `database ${name}`,
    required: false,
    async run(): Promise<CheckResult> {
      const limits = { signal: new AbortController().signal, timeoutMs: answerMaxMs, rowsMax: 1, bytesMax: 100 };
      try {
        // A file that is no database is opened all the same, and fails at its first table.
        await port.query(
          name,
          databases[name]?.kind === 'sqlite' ? 'select count(*) from sqlite_schema' : 'select 1',
          limits,
        );
        return { ok: true, found: 'answers' };
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return {
          ok: false,
          found: error.message,
          fix: `Look at databases.${name} in holdfast.yaml, and at what it names.`,
        };
      }
    },
  }));
}
