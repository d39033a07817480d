import { type AttemptRef, actionId, placeOf } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';

/** Actions that may be meant where none is named, in words for whoever has to name one. */
export interface Candidates {
  /** Their ids. */
  readonly ids: readonly string[];
  /** What they have in common: `waits for an approval`. */
  readonly what: string;
}

/**
 * The id of the action that a person means by `s3.a0`, by its whole id, or, where just one is a candidate, by nothing.
 * Throws RequestRefused where it is none or several.
 */
export function actionNamed({ id }: AttemptRef, given: string | undefined, { ids, what }: Candidates): string {
  if (given !== undefined) return wholeId(id, given);
  const [only, ...others] = [...new Set(ids)];
  if (only === undefined) {
    throw new RequestRefused(
      'not_pending',
      `No action of ${id} ${what}.`,
      `\`holdfast show ${id}\` says how it stands.`,
    );
  }
  if (others.length > 0) {
    throw new RequestRefused(
      'ambiguous',
      `${others.length + 1} actions of ${id} could be meant.`,
      `Name one: ${[only, ...others].join(', ')}`,
    );
  }
  return only;
}

/** Where the action stands. Throws RequestRefused where the text names none. */
export function placeNamed(
  ref: Pick<AttemptRef, 'id'>,
  given: string,
): { readonly step: number; readonly index: number } {
  const place = placeOf(ref.id, given) ?? placeOf(ref.id, `${ref.id}/${given}`);
  if (place !== undefined) return place;
  throw new RequestRefused(
    'invalid',
    `"${given}" is no action of ${ref.id}.`,
    `An action is named like s3.a0 or ${actionId(ref.id, 3, 0)}; \`holdfast inbox\` lists those that wait.`,
  );
}

function wholeId(attempt: string, given: string): string {
  const { step, index } = placeNamed({ id: attempt }, given);
  return actionId(attempt, step, index);
}
