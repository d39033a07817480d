import { keepNewest } from './keep-newest';
import { answered, type Line, repeatsBefore, stopped, type Work } from './line';
import { infrastructure, type SeenCall } from './seen-call';
import { emptyHandedTokens, fullWeight, heavier, lightWeight, newCallWeight } from './stagnation';

/**
 * What an attempt's calls have shown so far, as far as a repeat is told by it (R7).
 *
 *   I1  Bounded: so many calls and answers are remembered, whatever the attempt's length, and each call costs the same.
 *   I2  Only answers count. A failure of the infrastructure says nothing, neither news nor repeat.
 *   I3  A word from the user is news from outside: whatever went before it counts no more.
 *   I4  Where something outside was changed, what is read there may be another: reads begin anew.
 *   I5  A compaction and a finished step of the plan, the model's own claim, count where something never seen came since the
 *       last that counted, so that nothing goes on by them for ever. What a call itself repeats they do not take back (line.ts).
 *   I6  The actions of one step are judged alike, and weigh at most what brings them to the next rung (stagnation.ts).
 */

/** Calls that are told from each other; one that was not made again after so many others is forgotten. */
const linesMax = 500;
/** Answers by which an action brings nothing new; the same. */
const answersMax = 500;
/** Versions of the workspace. */
const snapshotsMax = 200;

export type TrailSoFar = Pick<Trail, 'repeats' | 'repeatsInAnyStep' | 'stagnation'>;

/** Later than any step that was seen: for who asks what a next step would be judged by. */
const nextStep = Number.POSITIVE_INFINITY;

export class Trail {
  private readonly lines = new Map<string, Line>();
  /** The same calls, whatever step of the plan they were made in. */
  private readonly inAnyStep = new Map<string, Line>();
  /** How often each answer came in its world, in this view; 0 for one that came before it was compacted. */
  private readonly known = new Map<string, number>();
  private readonly snapshots = new Map<string, true>();
  /** What actions since one brought something new weigh, and what they did when the newest step with a call began. */
  private stagnant = 0;
  private stagnantBefore = 0;
  private step = 0;
  private planDone = 0;
  private work: Work = { stretch: 0, news: 0 };
  /** What was new when a finished step of the plan last counted, and when a compaction did (I5). */
  private newsAtPlan = 0;
  private newsAtCompaction = 0;
  private edition = 0;

  /** Sum of the weights that a call of this step is judged by (stagnation.ts). */
  stagnation(step = nextStep): number {
    return step === this.step ? Math.min(this.stagnantBefore, this.stagnant) : this.stagnant;
  }

  /** Calls in a row of earlier steps with this fingerprint or likeness that answered nothing new; 0 where the last one did. */
  repeats(print: string | undefined, step = nextStep): number {
    return print === undefined ? 0 : repeatsBefore(this.current(this.lines, print), step, this.work);
  }

  /** The same under whatever step of the plan; by the fingerprint without one. */
  repeatsInAnyStep(stepless: string, step = nextStep): number {
    return repeatsBefore(this.current(this.inAnyStep, stepless), step, this.work);
  }

  saw(call: SeenCall): void {
    if (infrastructure(call.failureClass)) return; // I2
    if (call.step !== this.step) this.stagnantBefore = this.stagnant;
    this.step = call.step;
    if (call.stopped) this.stopped(call);
    else this.ran(call);
  }

  /** Steps of the plan that are done. */
  planned(done: number): void {
    if (done > this.planDone && this.work.news > this.newsAtPlan) {
      this.newsAtPlan = this.work.news;
      this.goOn();
    }
    this.planDone = Math.max(this.planDone, done);
  }

  /** I3 */
  heard(): void {
    for (const part of [this.lines, this.inAnyStep, this.snapshots, this.known]) part.clear();
    this.progressed();
  }

  /** What the model no longer sees it may look at again (I5). */
  compacted(): void {
    if (this.work.news === this.newsAtCompaction) return;
    this.newsAtCompaction = this.work.news;
    this.goOn();
    for (const answer of this.known.keys()) this.known.set(answer, 0);
  }

  private goOn(): void {
    this.work = { ...this.work, stretch: this.work.stretch + 1 };
    this.progressed();
  }

  private progressed(): void {
    this.stagnant = 0;
    this.stagnantBefore = 0;
  }

  private ran(call: SeenCall): void {
    const stepless = call.stepless ?? call.print;
    const again = (this.current(this.lines, call.print) ?? this.current(this.inAnyStep, stepless)) !== undefined;
    const outside = call.ok && call.sent && call.snapshot === null;
    if (outside) this.edition += 1;
    this.weigh(call, outside, again);
    this.answered(this.lines, call.print, call, ofTests(call));
    this.answered(this.inAnyStep, stepless, call, ofTests(call));
    const alike = isEmptyHanded(call) ? undefined : call.likeness;
    if (alike !== undefined) this.answered(this.lines, alike, call, call.answer);
  }

  private stopped({ print, likeness = print, stepless = print, step }: SeenCall): void {
    for (const key of new Set([print, likeness])) this.refused(this.lines, key, step);
    this.refused(this.inAnyStep, stepless, step);
    this.weighs(fullWeight);
  }

  private refused(lines: Map<string, Line>, print: string, step: number): void {
    const line = this.current(lines, print);
    if (line) lines.set(print, stopped(line, step, this.work));
  }

  private current(lines: ReadonlyMap<string, Line>, print: string): Line | undefined {
    const line = lines.get(print);
    return line?.edition === undefined || line.edition === this.edition ? line : undefined; // I4
  }

  private answered(lines: Map<string, Line>, print: string, { step, sent }: SeenCall, answer: string): void {
    const edition = sent ? undefined : this.edition;
    const line = answered(this.current(lines, print), answer, { step, work: this.work, edition });
    keepNewest(lines, print, linesMax, line);
  }

  private moved({ snapshot, environment }: SeenCall): boolean {
    if (snapshot === null || snapshot === environment || this.snapshots.has(snapshot)) return false;
    keepNewest(this.snapshots, snapshot, snapshotsMax, true);
    return true;
  }

  private weigh(call: SeenCall, outside: boolean, again: boolean): void {
    const { answer, environment, ok, poll } = call;
    const inWorld = `${answer} ${environment ?? ''}`;
    const before = this.known.get(inWorld);
    const times = before ?? 0;
    keepNewest(this.known, inWorld, answersMax, times + 1);
    if (this.moved(call) || before === undefined) {
      this.work = { ...this.work, news: this.work.news + 1 };
      this.progressed();
    } else if (outside || times === 0) this.progressed();
    else if (!again && isEmptyHanded(call))
      return; // another search that finds nothing is honest
    else if (!poll) this.weighs(ok && !again ? newCallWeight : times === 1 ? lightWeight : fullWeight);
  }

  private weighs(weight: number): void {
    this.stagnant = heavier(this.stagnant, weight, this.stagnantBefore); // I6
  }
}

/** An answer of next to nothing, or one that says that there is nothing. */
const isEmptyHanded = ({ ok, tokens, foundNothing }: SeenCall) => ok && (tokens < emptyHandedTokens || foundNothing);

/**
 * The same tests failing in the same world is the same answer of the same call, in whatever order they ran. Only of what ran
 * in the workspace: elsewhere a report may be one of many.
 */
const ofTests = ({ answer, failingTests, snapshot }: SeenCall) =>
  failingTests === null || snapshot === null ? answer : `${failingTests} failing`;
