import type { QueryValue } from '../../domain/contract/query/query-rows';

/** Object ids of PostgreSQL's own types; they are the same in every database. */
const numberOids = new Set([20, 21, 23, 26, 700, 701, 1700]);
const jsonOids = new Set([114, 3802]);
const booleanOid = 16;

/** A value by its text and its type: as JSON has it, and as text where JSON would change it. */
export function postgresValue(text: string | null, oid: number): QueryValue {
  if (text === null) return null;
  if (oid === booleanOid) return text === 't';
  if (jsonOids.has(oid)) return JSON.parse(text);
  return numberOids.has(oid) ? numberOr(text) : text;
}

/** `12.50` is 12.5; a number of more digits than a double has stays text, and so does NaN. */
function numberOr(text: string): QueryValue {
  const value = Number(text);
  return Number.isFinite(value) && plainDigits(String(value)) === plainDigits(text) ? value : text;
}

function plainDigits(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text; // an exponent: its shortest form is the same for the same double
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
