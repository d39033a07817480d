import type { RefusedWrite } from '../ledger/queries/refused-writes';
import { excerpt } from '../requests/words/words';

/** Reasons of people and of revocations are read here; `--json` has the whole of them. */
const textLength = 300;

/** Who or what did not let a write through, and why, on one line. */
export function refusedWords({ code, rule, by, reason, told, at }: RefusedWrite): string {
  const person = by === null ? '' : `${by} said no${reason === null ? '.' : `: ${reason}`}`;
  const why = person || told || '';
  return `${code} by rule ${rule} at ${at}${why === '' ? '' : `; ${excerpt(why, textLength)}`}`;
}
