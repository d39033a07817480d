/**
 * What follows where an attempt is resumed beside other versions than those that it paused beside (R12.2).
 *
 *   go_on          the rows of the ledger are all that the next step is made of, so nothing is lost by it
 *   observe_again  the model is told that what it saw may no longer hold
 *   approve_again  what was allowed was bound to the old version (R5.3); the action is judged, and asked for, anew
 *   refuse         what needs it is refused: a call of the tool, the step of the model, or the resume itself
 */
export type Handling = 'go_on' | 'observe_again' | 'approve_again' | 'refuse';

/** Everything that can differ, and how. */
export interface Change {
  /** `none_left`: no model of the attempt's order is here. */
  model: 'changed' | 'added' | 'removed' | 'none_left';
  tool: 'changed' | 'added' | 'removed';
  skill: 'changed' | 'added' | 'removed';
  policy: 'changed';
  environment: 'changed';
  code: 'changed';
  /** The document was written by a newer Holdfast, which knew something that this one cannot know. */
  checkpoint: 'newer' | 'unreadable';
}
export type Part = keyof Change;

// biome-ignore format: a table is read by its columns
export const resumeTable: { readonly [P in Part]: Readonly<Record<Change[P], Handling>> } = {
  model:       { changed: 'go_on',         added: 'go_on', removed: 'go_on' /* the next of its order */, none_left: 'refuse' },
  tool:        { changed: 'approve_again', added: 'go_on', removed: 'refuse' },
  skill:       { changed: 'observe_again', added: 'go_on', removed: 'observe_again' },
  policy:      { changed: 'approve_again' },
  environment: { changed: 'observe_again' },
  code:        { changed: 'go_on' },
  checkpoint:  { newer: 'refuse', unreadable: 'refuse' },
};

/** The row of the table. */
export function handlingOf<P extends Part>({
  part,
  change,
}: {
  readonly part: P;
  readonly change: Change[P];
}): Handling {
  return resumeTable[part][change];
}
