import { infrastructure, type SeenCall } from './seen-call';
import { emptyHandedTokens, fullWeight, lightWeight } from './stagnation';

/**
 * What an attempt's calls have shown so far, as far as a repeat is told by it (R7).
 *
 *   I1  Bounded: so many calls and answers are remembered, whatever the attempt's length, and each call costs the same.
 *   I2  Only answers count. A failure of the infrastructure says nothing, neither news nor repeat.
 *   I3  A word from the user is news from outside: whatever went before it counts no more.
 *   I4  Where something outside was changed, what is read there may be another: reads begin anew.
 *   I5  Only what was never seen begins anything anew: a step of the plan that is done, the model's own claim, and a
 *       compaction count where something new came since the last that counted. So neither lets a loop go on for ever.
 */
interface Line {
  /** Answers so far; the newest at the end. */
  answers: readonly string[];
  /** Calls since one answered something new to this line. */
  stale: number;
  /** Changes outside when it was last called (I4); undefined for a call that makes such a change. */
  edition: number | undefined;
}

/** Calls that are told from each other; one that was not made again after so many others is forgotten. */
const linesMax = 500;
/** Answers by which an action brings nothing new; the same. */
const answersMax = 500;
/** Versions of the workspace. */
const snapshotsMax = 200;
/** Answers of one call that are compared: a call that cycles through more is caught by what it weighs. */
const answersOfLineMax = 8;

export type TrailSoFar = Pick<Trail, 'repeats' | 'repeatsInAnyStep' | 'stagnation'>;

export class Trail {
  private readonly lines = new Map<string, Line>();
  /** The same calls, whatever step of the plan they were made in. */
  private readonly inAnyStep = new Map<string, Line>();
  /** How often each answer came in its world, in this view; 0 for one that came before it was compacted. */
  private readonly known = new Map<string, number>();
  private readonly snapshots = new Map<string, true>();
  private stagnant = 0;
  private planDone = 0;
  /** Something new was seen since a finished step of the plan last counted (I5), and since a compaction did. */
  private newsSincePlan = false;
  private newsSinceCompaction = false;
  private edition = 0;

  /** Sum of the weights of actions since one brought something new (stagnation.ts). */
  get stagnation(): number {
    return this.stagnant;
  }

  /** Earlier calls in a row with this fingerprint or likeness that answered nothing new; 0 where the last one did. */
  repeats(print: string | undefined): number {
    return print === undefined ? 0 : repeatsOf(this.current(this.lines, print));
  }

  /** The same under whatever step of the plan, since one was finished that counted; by the fingerprint without one. */
  repeatsInAnyStep(stepless: string): number {
    return repeatsOf(this.current(this.inAnyStep, stepless));
  }

  saw(call: SeenCall): void {
    if (infrastructure(call.failureClass)) return; // I2
    if (call.stopped) this.stopped(call);
    else this.ran(call);
  }

  private ran(call: SeenCall): void {
    const stepless = call.stepless ?? call.print;
    const again = (this.current(this.lines, call.print) ?? this.current(this.inAnyStep, stepless)) !== undefined;
    const outside = call.ok && call.sent && call.snapshot === null;
    if (outside) this.edition += 1;
    this.answered(this.lines, call.print, call);
    this.answered(this.inAnyStep, stepless, call);
    const alike = call.ok && call.tokens < emptyHandedTokens ? undefined : call.likeness;
    if (alike !== undefined) this.answered(this.lines, alike, call);
    this.weigh(call, outside, again);
  }

  /** Steps of the plan that are done. */
  planned(done: number): void {
    if (done > this.planDone && this.newsSincePlan) {
      this.stagnant = 0;
      this.inAnyStep.clear();
      this.newsSincePlan = false;
    }
    this.planDone = Math.max(this.planDone, done);
  }

  /** I3 */
  heard(): void {
    this.begin();
    this.snapshots.clear();
    this.known.clear();
  }

  /** What the model no longer sees it may look at again (I5). */
  compacted(): void {
    if (!this.newsSinceCompaction) return;
    this.newsSinceCompaction = false;
    this.begin();
    for (const answer of this.known.keys()) this.known.set(answer, 0);
  }

  private begin(): void {
    this.lines.clear();
    this.inAnyStep.clear();
    this.stagnant = 0;
  }

  private stopped({ print, likeness = print, stepless = print }: SeenCall): void {
    const lines = [
      this.current(this.lines, print),
      this.current(this.lines, likeness),
      this.current(this.inAnyStep, stepless),
    ];
    for (const line of new Set(lines)) if (line) line.stale += 1;
    this.stagnant += fullWeight;
  }

  private current(lines: ReadonlyMap<string, Line>, print: string): Line | undefined {
    const line = lines.get(print);
    return line?.edition === undefined || line.edition === this.edition ? line : undefined; // I4
  }

  private answered(lines: Map<string, Line>, print: string, call: SeenCall): void {
    const answer = answerOf(call);
    const line = this.current(lines, print);
    const isKnown = line?.answers.includes(answer) ?? false;
    const before = line?.answers.filter((one) => one !== answer) ?? [];
    keep(lines, print, linesMax, {
      answers: [...before, answer].slice(-answersOfLineMax),
      stale: isKnown && line ? line.stale + 1 : 0,
      edition: call.sent ? undefined : this.edition,
    });
  }

  private moved({ snapshot, environment }: SeenCall): boolean {
    if (snapshot === null || snapshot === environment || this.snapshots.has(snapshot)) return false;
    keep(this.snapshots, snapshot, snapshotsMax, true);
    return true;
  }

  private weigh(call: SeenCall, outside: boolean, again: boolean): void {
    const { answer, environment, ok, poll, tokens } = call;
    const inWorld = `${answer} ${environment ?? ''}`;
    const before = this.known.get(inWorld);
    const times = before ?? 0;
    keep(this.known, inWorld, answersMax, times + 1);
    if (this.moved(call) || before === undefined) {
      this.newsSincePlan = true;
      this.newsSinceCompaction = true;
      this.stagnant = 0;
    } else if (outside || times === 0) this.stagnant = 0;
    else if (ok && !again && tokens < emptyHandedTokens)
      return; // another search that finds nothing is honest
    else if (!poll) this.stagnant += times === 1 || (ok && !again) ? lightWeight : fullWeight;
  }
}

function repeatsOf(line: Line | undefined): number {
  if (!line) return 0;
  return line.answers.length > 1 && line.stale === 0 ? 0 : line.stale + 1;
}

/**
 * The same tests failing in the same world is the same answer, in whatever order they ran. Only of what ran in the
 * workspace: elsewhere a report may be one of many.
 */
const answerOf = ({ answer, failingTests, snapshot }: SeenCall) =>
  failingTests === null || snapshot === null ? answer : `${failingTests} failing`;

/** Keeps the newest `max`, the one written last at the end. */
function keep<V>(map: Map<string, V>, key: string, max: number, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
