import { type GlobDialect, type GlobPart, type GlobParts, parseGlob } from './parse-glob';

/**
 * Matches whole paths, in time that is linear in the path and in the pattern whatever both are (a matcher that goes back
 * takes minutes for `*a*a*a*a*a*b`, and patterns are written by models). It walks all ways through the pattern at once:
 *
 *   I1  A state is in the set of a position once, so a position costs at most the number of states.
 *   I2  The number of states is linear in the pattern: choices stand beside each other and are not multiplied out.
 *
 * Throws BadGlob where the pattern is not understood. Names with a leading dot are names like any other.
 */
export function compileGlob(glob: string, dialect: GlobDialect = 'glob'): (path: string) => boolean {
  const states: State[] = [];
  const start = addSequence(states, parseGlob(glob, dialect), add(states, { kind: 'end' }));
  return matcher(states, start);
}

type State =
  | { readonly kind: 'end' }
  | { readonly kind: 'take'; readonly fits: (sign: string) => boolean; readonly next: number }
  | { readonly kind: 'fork'; readonly next: number[] };

function add(states: State[], state: State): number {
  return states.push(state) - 1;
}

/** Built from the end, so that each part knows what follows. Returns where it begins. */
function addSequence(states: State[], parts: GlobParts, next: number): number {
  return parts.reduceRight((following, part) => addPart(states, part, following), next);
}

function addPart(states: State[], part: GlobPart, next: number): number {
  switch (part.kind) {
    case 'sign':
      return add(states, { kind: 'take', fits: (sign) => sign === part.sign, next });
    case 'any':
      return add(states, { kind: 'take', fits: notSlash, next });
    case 'set': {
      const holds = (sign: string) => part.ranges.some(([low, high]) => low <= sign && sign <= high);
      return add(states, { kind: 'take', fits: (sign) => sign !== '/' && holds(sign) !== part.negated, next });
    }
    case 'star': {
      const fork = { kind: 'fork' as const, next: [next] };
      const again = add(states, fork);
      fork.next.push(add(states, { kind: 'take', fits: part.deep ? always : notSlash, next: again }));
      return again;
    }
    case 'oneOf':
      return add(states, { kind: 'fork', next: part.choices.map((choice) => addSequence(states, choice, next)) });
  }
}

const always = () => true;
const notSlash = (sign: string) => sign !== '/';

/** States reached together, with where each sign leads from them, found when it is first asked for. */
interface Place {
  readonly reached: ReadonlySet<number>;
  readonly accepts: boolean;
  readonly after: Map<string, Place | undefined>;
}
/** Ways that are remembered; a usual pattern has some dozens, and one made to have endless ones is forgotten and found again. */
const knownWaysMax = 5_000;

function matcher(states: readonly State[], start: number): (path: string) => boolean {
  const places = new Map<string, Place>();
  let ways = 0;
  const placeOf = (from: readonly number[]): Place => {
    const reached = closure(states, from);
    const key = [...reached].sort((one, other) => one - other).join();
    const known = places.get(key);
    if (known) return known;
    const accepts = [...reached].some((at) => states[at]?.kind === 'end');
    const place = { reached, accepts, after: new Map() };
    places.set(key, place);
    return place;
  };
  const step = (place: Place, sign: string): Place | undefined => {
    if (place.after.has(sign)) return place.after.get(sign);
    if (ways >= knownWaysMax) {
      for (const { after } of places.values()) after.clear();
      places.clear();
      ways = 0;
    }
    const taken = takenBy(states, place.reached, sign);
    const next = taken.length === 0 ? undefined : placeOf(taken);
    place.after.set(sign, next);
    ways += 1;
    return next;
  };
  const first = placeOf([start]);
  return (path) => {
    let place: Place | undefined = first;
    for (const sign of path) {
      place = step(place, sign);
      if (place === undefined) return false;
    }
    return place.accepts;
  };
}

function takenBy(states: readonly State[], reached: ReadonlySet<number>, sign: string): readonly number[] {
  const taken: number[] = [];
  for (const at of reached) {
    const state = states[at];
    if (state?.kind === 'take' && state.fits(sign)) taken.push(state.next);
  }
  return taken;
}

/** All that is reached without a sign. */
function closure(states: readonly State[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue; // I1
    reached.add(at);
    const state = states[at];
    if (state?.kind === 'fork') open.push(...state.next);
  }
  return reached;
}
