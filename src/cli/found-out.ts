import type { EffectEvidence } from '../ledger/queries/effect-evidence';
import type { UnknownCause } from '../ledger/queries/unknown-cause';
import { excerpt } from '../requests/words/words';

/** A person's evidence and an error message are read here; `--json` has the whole of them. */
const textLength = 300;

/** Why nobody could tell, on one line. */
export function causeWords({ code, detail, at }: UnknownCause): string {
  const said = detail === null ? '' : `: ${excerpt(detail, textLength)}`;
  return `nobody could tell at ${at}: ${code}${said}`;
}

/** What was learnt of an effect beside its own answer, on one line. */
export function evidenceWords({ kind, at, said, found, by, channel, evidence }: EffectEvidence): string {
  const who = by === undefined ? undefined : `${by}${channel === undefined ? '' : ` (${channel})`}`;
  const seen = evidence === undefined ? '' : `: “${excerpt(evidence, textLength)}”`;
  switch (kind) {
    case 'person':
      return `${who ?? 'a person'} said ${said ?? '?'} at ${at}${seen}`;
    case 'conflict':
      return `${who ?? 'an answer'} contradicted that at ${at} with ${said ?? '?'}${seen}`;
    case 'late':
      return `a late answer said ${said ?? '?'} at ${at}`;
    case 'probe':
      return `a look at ${at} found ${found ?? '?'}`;
  }
}
