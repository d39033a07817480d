import { infrastructure, type SeenCall } from './seen-call';
import { emptyHandedTokens, fullWeight, lightWeight } from './stagnation';

/**
 * What an attempt's calls have shown so far, as far as a repeat is told by it (R7).
 *
 *   I1  Bounded: so many calls and answers are remembered, whatever the attempt's length, and each call costs the same.
 *   I2  Only answers count. A failure of the infrastructure says nothing, neither news nor repeat.
 *   I3  A word from the user is news from outside: whatever went before it counts no more.
 *   I4  Where something outside was changed, what is read there may be another: reads begin anew.
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

export type TrailSoFar = Pick<Trail, 'repeats' | 'stagnation'>;

export class Trail {
  private readonly lines = new Map<string, Line>();
  /** How often each answer came in its world. */
  private readonly known = new Map<string, number>();
  private readonly snapshots = new Map<string, true>();
  private stagnant = 0;
  private planDone = 0;
  /** Something new was seen since a finished step of the plan last counted: a plan is the model's own claim. */
  private newsSincePlan = false;
  private edition = 0;

  /** Sum of the weights of actions since one brought something new (stagnation.ts). */
  get stagnation(): number {
    return this.stagnant;
  }

  /** Earlier calls in a row with this fingerprint or likeness that answered nothing new; 0 where the last one did. */
  repeats(print: string | undefined): number {
    const line = print === undefined ? undefined : this.current(print);
    if (!line) return 0;
    return line.answers.length > 1 && line.stale === 0 ? 0 : line.stale + 1;
  }

  saw(call: SeenCall): void {
    if (infrastructure(call.failureClass)) return; // I2
    if (call.stopped) this.stopped(call);
    else this.ran(call);
  }

  private ran(call: SeenCall): void {
    const again = this.current(call.print) !== undefined;
    const outside = call.ok && call.sent && call.snapshot === null;
    if (outside) this.edition += 1;
    this.answered(call.print, answerOf(call), call.sent);
    const alike = call.ok && call.tokens < emptyHandedTokens ? undefined : call.likeness;
    if (alike !== undefined) this.answered(alike, answerOf(call), call.sent);
    this.weigh(call, outside || this.moved(call), again);
  }

  /** Steps of the plan that are done. */
  planned(done: number): void {
    if (done > this.planDone && this.newsSincePlan) {
      this.stagnant = 0;
      this.newsSincePlan = false;
    }
    this.planDone = Math.max(this.planDone, done);
  }

  /** I3 */
  heard(): void {
    this.lines.clear();
    this.snapshots.clear();
    this.forgetAnswers();
  }

  /** What the model no longer sees it may look at again; once for each time, or a loop would hide behind its length. */
  compacted(): void {
    for (const line of this.lines.values()) line.stale = Math.max(0, line.stale - 1);
    this.forgetAnswers();
  }

  private forgetAnswers(): void {
    this.known.clear();
    this.stagnant = 0;
  }

  private stopped({ print, likeness }: SeenCall): void {
    for (const line of [this.current(print), likeness === undefined ? undefined : this.current(likeness)])
      if (line) line.stale += 1;
    this.stagnant += fullWeight;
  }

  private current(print: string): Line | undefined {
    const line = this.lines.get(print);
    return line?.edition === undefined || line.edition === this.edition ? line : undefined; // I4
  }

  private answered(print: string, answer: string, sent: boolean): void {
    const line = this.current(print);
    const isKnown = line?.answers.includes(answer) ?? false;
    const before = line?.answers.filter((one) => one !== answer) ?? [];
    keep(this.lines, print, linesMax, {
      answers: [...before, answer].slice(-answersOfLineMax),
      stale: isKnown && line ? line.stale + 1 : 0,
      edition: sent ? undefined : this.edition,
    });
  }

  private moved({ snapshot, environment }: SeenCall): boolean {
    if (snapshot === null || snapshot === environment || this.snapshots.has(snapshot)) return false;
    keep(this.snapshots, snapshot, snapshotsMax, true);
    return true;
  }

  private weigh({ answer, environment, ok, poll, tokens }: SeenCall, moved: boolean, again: boolean): void {
    const inWorld = `${answer} ${environment ?? ''}`;
    const times = this.known.get(inWorld) ?? 0;
    keep(this.known, inWorld, answersMax, times + 1);
    if (moved || times === 0) {
      this.stagnant = 0;
      this.newsSincePlan = true;
    } else if (ok && !again && tokens < emptyHandedTokens)
      return; // another search that finds nothing is honest
    else if (!poll) this.stagnant += times === 1 || (ok && !again) ? lightWeight : fullWeight;
  }
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
