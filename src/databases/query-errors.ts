import { DatabaseError, type QueryOptions } from '../activities/ports';

/** Why a query gave no result, in the same words for every kind of database. */

export const queryWrites = (why: string) =>
  new DatabaseError(
    { class: 'policy_denied', code: 'QUERY_WRITES' },
    `Only a query that reads is run here, and this one is none: ${why}.`,
    'Send a SELECT that changes nothing.',
  );

export const queryTooSlow = ({ timeoutMs }: Pick<QueryOptions, 'timeoutMs'>) =>
  new DatabaseError(
    { class: 'tool_business', code: 'QUERY_TIMEOUT' },
    `The query did not end within ${timeoutMs} ms and was stopped.`,
    'Ask for less: fewer rows to look at, a condition on an indexed column.',
  );

export const resultTooLarge = ({ rowsMax, bytesMax }: Pick<QueryOptions, 'rowsMax' | 'bytesMax'>) =>
  new DatabaseError(
    { class: 'tool_business', code: 'RESULT_TOO_LARGE' },
    `The query gives more than ${rowsMax} rows or ${bytesMax} bytes.`,
    'Aggregate in the query, or take fewer columns and rows.',
  );

export const queryWrong = (said: string) =>
  new DatabaseError(
    { class: 'tool_argument', code: 'BAD_QUERY' },
    `The database refused the query: ${said}`,
    'Correct it; the tables and columns are in its catalogue (sqlite_schema, information_schema).',
  );
