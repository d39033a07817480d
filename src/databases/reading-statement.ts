import { DatabaseError } from '../activities/ports';
import { scanSql } from '../domain/contract/query/scan-sql';
import { queryWrites } from './query-errors';

/** What a statement that gives rows and changes nothing begins with. */
const reading = new Set(['select', 'with', 'values']);

/** The one statement, without the sign that may end it. Throws DatabaseError where it is none that reads, or several. */
export function readingStatement(sql: string): string {
  const { statements, firstWord } = scanSql(sql);
  if (statements !== 1) {
    throw new DatabaseError(
      { class: 'tool_argument', code: 'NOT_ONE_STATEMENT' },
      `A query is one statement, and these are ${statements}.`,
      'Send one SELECT.',
    );
  }
  if (!reading.has(firstWord)) throw queryWrites(`it begins with ${firstWord.toUpperCase() || 'no word'}`);
  return sql;
}
