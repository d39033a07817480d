import type { Failure } from './failure';

/**
 * The failure behind a SQLSTATE (R8.2): what PostgreSQL says of a query by code, looked up by its longest known beginning.
 * Undefined for what is no SQLSTATE.
 */
export function classifySqlState(state: string): Failure | undefined {
  if (!/^[0-9A-Z]{5}$/.test(state)) return undefined;
  for (let length = state.length; length >= classLength; length -= 1) {
    const known = states.get(state.slice(0, length));
    if (known) return known;
  }
  return { class: 'tool_business', code: 'DATABASE_ERROR' };
}

/** Of a SQLSTATE, the signs that name its class. */
const classLength = 2;

// biome-ignore format: a table is read by its columns
const states: ReadonlyMap<string, Failure> = new Map(Object.entries({
  '08':    { class: 'tool_transient', code: 'DATABASE_AWAY' },      // connection
  '57P0':  { class: 'tool_transient', code: 'DATABASE_AWAY' },      // shutting down, starting
  '25P03': { class: 'tool_transient', code: 'DATABASE_AWAY' },      // a transaction stood still for too long
  '53':    { class: 'tool_transient', code: 'DATABASE_BUSY' },      // out of memory, of connections
  '531':   { class: 'unrecoverable',  code: 'DISK_FULL' },
  '40':    { class: 'tool_transient', code: 'TRANSACTION_LOST' },   // serialisation, deadlock
  '55P03': { class: 'tool_transient', code: 'BUSY' },               // a lock is not to be had
  '55006': { class: 'tool_transient', code: 'BUSY' },
  '57014': { class: 'tool_business',  code: 'QUERY_CANCELLED' },    // the same query takes as long again
  '28':    { class: 'unrecoverable',  code: 'CREDENTIALS_REFUSED' },
  '3D':    { class: 'unrecoverable',  code: 'NO_DATABASE' },
  '58':    { class: 'unrecoverable',  code: 'DATABASE_FAULT' },     // the system beneath it
  'XX':    { class: 'unrecoverable',  code: 'DATABASE_FAULT' },     // itself
  'F0':    { class: 'unrecoverable',  code: 'DATABASE_FAULT' },
  '42501': { class: 'policy_denied',  code: 'ACCESS_DENIED' },
  '25006': { class: 'policy_denied',  code: 'READ_ONLY' },
  '23505': { class: 'state_conflict', code: 'ALREADY_THERE' },      // unique
  '23503': { class: 'state_conflict', code: 'REFERENCE_MISSING' },  // foreign key
  '23P01': { class: 'state_conflict', code: 'ALREADY_THERE' },      // exclusion
  '23':    { class: 'tool_argument',  code: 'BAD_VALUE' },
  '22':    { class: 'tool_argument',  code: 'BAD_VALUE' },
  '42':    { class: 'tool_argument',  code: 'BAD_QUERY' },
  '3F':    { class: 'tool_argument',  code: 'BAD_QUERY' },
  '26':    { class: 'tool_argument',  code: 'BAD_QUERY' },
  '0A':    { class: 'tool_argument',  code: 'NOT_SUPPORTED' },
}));
