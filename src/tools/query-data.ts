import { DatabaseError } from '../activities/ports';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';

/** Longest for one query of the agent, ms: it asks many. */
const queryTimeoutMs = 30_000;
/** More are for the database to add up, and not for a model. */
const shownRowsMax = 1_000;
/** Some 60,000 tokens; beyond it the rows crowd the work out of the view, bytes. */
const shownBytesMax = 256 * 1024;

export const queryData = defineTool({
  name: 'query_data',
  description:
    'Runs one SELECT on a database of this installation, read-only, and answers with its columns and its rows, each a JSON array on a line of its own. At most 1000 rows. The catalogue (sqlite_schema, or information_schema.columns) says which tables and columns there are.',
  schema: {
    type: 'object',
    properties: {
      database: { type: 'string', minLength: 1, description: 'a name of the configuration' },
      sql: { type: 'string', minLength: 1, maxLength: 20_000 },
    },
    required: ['database', 'sql'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: false,
  quick: false,
  timeoutMs: queryTimeoutMs + 10_000,
  untrusted: true,
  run: ({ database, sql }, { databases, signal }) =>
    answering(async () => {
      if (!databases || databases.names().length === 0) {
        const message = 'No database is configured.';
        throw new ToolError({ class: 'environment_drift', code: 'NO_DATABASES' }, message, 'Go on without one.');
      }
      const limits = { signal, timeoutMs: queryTimeoutMs, rowsMax: shownRowsMax, bytesMax: shownBytesMax };
      try {
        const { columns, rows } = await databases.query(database, sql, limits);
        return [columns, ...rows].map((row) => JSON.stringify(row)).join('\n');
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        throw new ToolError(error.failure, error.message, error.suggestedAction);
      }
    }),
});
