import { LedgerUnavailableError } from '../activities/ledger-port';
import { ledgerError } from '../ledger/unavailable';
import type { TemporalTarget } from '../temporal/target';
import { RequestRefused } from './request-refused';

/** SQLSTATEs of a database that answers and is not ours: no such table, schema, role or database; wrong password. */
const notOurs: Readonly<Record<string, string>> = {
  '42P01': 'has no Holdfast ledger',
  '22023': 'has no Holdfast ledger',
  '3F000': 'has no Holdfast ledger',
  '3D000': 'does not exist',
  '28P01': 'refuses the password',
  '28000': 'refuses the login',
};

/** Errors that say "the database cannot be used" become a RequestRefused that names it; others stay what they are. */
export function databaseError(error: unknown, url: string): unknown {
  if (error instanceof RequestRefused) return error;
  const where = databaseName(url);
  const known = ledgerError(error);
  if (known instanceof LedgerUnavailableError) {
    return new RequestRefused(
      'unreachable',
      `The database ${where} cannot be reached: ${reason(known.cause)}`,
      'See whether `holdfast up` still runs and whether DATABASE_URL is right; attempts wait and go on by themselves.',
    );
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const why = notOurs[code];
  if (why === undefined) return error;
  return new RequestRefused(
    'unreachable',
    `The database ${where} ${why}.`,
    'Check DATABASE_URL; `holdfast up` makes the ledger in the database that it names.',
  );
}

/** gRPC codes: DEADLINE_EXCEEDED, PERMISSION_DENIED, UNAVAILABLE, UNAUTHENTICATED. */
const unreachableCodes = [4, 7, 14, 16];

/** The same for Temporal. */
export function temporalError(error: unknown, { address, namespace }: TemporalTarget): unknown {
  if (error instanceof RequestRefused || !(error instanceof Error)) return error;
  if (error.name === 'NamespaceNotFoundError') {
    return new RequestRefused(
      'unreachable',
      `Temporal at ${address} has no namespace "${namespace}".`,
      'Set TEMPORAL_NAMESPACE, or create it: `temporal operator namespace create -n NAME`.',
    );
  }
  const cause = 'code' in error ? error : error.cause;
  const code = cause instanceof Error && 'code' in cause ? Number(cause.code) : undefined;
  const connecting = /Failed to connect|connect|ECONNREFUSED/i.test(error.message);
  if (!connecting && !unreachableCodes.includes(code ?? 0)) return error;
  return new RequestRefused(
    'unreachable',
    `Temporal at ${address} cannot be reached: ${reason(cause ?? error)}`,
    'See whether `holdfast up` still runs and whether TEMPORAL_ADDRESS is right; attempts wait and go on by themselves.',
  );
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Host, port and database, without the password. */
function databaseName(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return '(DATABASE_URL is no URL)';
  }
}
