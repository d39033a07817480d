/**
 * Targets that have to be looked at before they are written to again (R8.6).
 *
 *   I1  A conflict makes its target stale, whatever was looked at before.
 *   I2  A write is let through only where its step came after that of a look: one that was proposed together with the look
 *       was made without knowing what it showed.
 *   I3  Nothing stale is forgotten without a look: where there are too many to name, everything in that place is stale, and any
 *       look there frees it.
 *   I4  A look that names its target frees that one. One that names nothing frees what no read names; and where there is no
 *       such look to be had either, any look does, so that no target waits for ever.
 */
export interface StaleTarget {
  readonly place: Place;
  /** Of the outside; null for the whole place. */
  readonly target: string | null;
  /** By what look beside one that names it (I4): none, or any; absent, one that names nothing. */
  readonly freedBy?: FreedBy;
  /** Step of the first look since; absent until there was one. */
  readonly lookedAt?: number;
}
export type FreedBy = 'name' | 'any';
/** A look: at everything in that place as far as anybody knows, or at this target. */
export interface Look {
  readonly place: Place;
  readonly target?: string;
}
/** What a look shows: the attempt's worktree, or the systems outside. */
export type Place = 'workspace' | 'outside';

/** The row of an attempt stays small; more targets at once are no single misunderstanding. */
const namedMax = 32;

export const wholeWorkspace = { place: 'workspace', target: null } as const;
export const outside = (target: string) => ({ place: 'outside', target }) as const;

type Named = Pick<StaleTarget, 'place' | 'target'>;

export function withConflict(
  stale: readonly StaleTarget[],
  { place, target }: Named,
  freedBy?: FreedBy,
): readonly StaleTarget[] {
  const others = stale.filter((one) => one.place !== place || one.target !== target);
  if (others.length < namedMax) return [...others, { place, target, ...(freedBy && { freedBy }) }];
  return [...others.filter((one) => one.place !== place), { place, target: null, freedBy: 'any' }]; // I3
}

/** The same list where the look changed nothing. What an earlier step looked at need not be kept any longer. */
export function withLook(stale: readonly StaleTarget[], look: Look, step: number): readonly StaleTarget[] {
  const isOver = ({ lookedAt }: StaleTarget) => lookedAt !== undefined && lookedAt < step;
  const isShown = (one: StaleTarget) => one.lookedAt === undefined && shows(look, one);
  if (!stale.some((one) => isOver(one) || isShown(one))) return stale;
  return stale.filter((one) => !isOver(one)).map((one) => (isShown(one) ? { ...one, lookedAt: step } : one));
}

/** I4 */
function shows(look: Look, { place, target, freedBy }: StaleTarget): boolean {
  if (look.place !== place) return false;
  return look.target === undefined ? freedBy !== 'name' : look.target === target || freedBy === 'any';
}

/** Whether a write of this step to the target has to wait for a look. */
export function mustLook(stale: readonly StaleTarget[], { place, target }: Named, step: number): boolean {
  return stale.some(
    (one) =>
      one.place === place &&
      (one.target === null || one.target === target) &&
      (one.lookedAt === undefined || one.lookedAt >= step), // I2
  );
}
