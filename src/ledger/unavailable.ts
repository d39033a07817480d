import { LedgerUnavailableError } from '../activities/ledger-port';
import { classifySqlState } from '../domain/failure/sql-state';

/**
 * What SQLSTATEs say that means "not now" rather than "never": connection trouble, shutdown, a server starting, out of slots, a
 * transaction that stood still for too long, a disk that somebody has to make room on. A transaction that lost to another
 * one is none of it: the ledger takes its locks in order, so that is a bug, and loud.
 */
const passing: ReadonlySet<string> = new Set(['DATABASE_AWAY', 'DATABASE_BUSY', 'DISK_FULL']);
const passingErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);
/** Texts of `pg` for a connection that ended under a query; it gives them no code. */
const passingTexts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/**
 * Maps an error of the driver: trouble with the connection becomes LedgerUnavailableError, the rest stays what it is.
 * By shape, for an error may come from another realm.
 */
export function ledgerError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || error instanceof LedgerUnavailableError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  const isPassing =
    passing.has(classifySqlState(code)?.code ?? '') || passingErrnos.has(code) || passingTexts.test(message);
  return isPassing ? new LedgerUnavailableError(error) : error;
}
