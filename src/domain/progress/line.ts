/**
 * One call as it is told from others, and how often it answered nothing new (R7.1).
 *
 *   I1  The calls of one step are judged alike, by what earlier steps showed, and count as one: a model that asks for the
 *       same five times in one proposal has not been told anything between them (R7.3).
 *   I2  Nothing but this call's own answers takes a repeat back: what else goes on is no reason to ask again.
 *   I3  Once in each stretch of work is no repeat: where the view was compacted or a step of the plan was finished since, and
 *       much that is new has come, the answer is out of sight or out of date. Not for a call that was repeated in sight before.
 */
export interface Line {
  /** The newest at the end. */
  readonly answers: readonly string[];
  readonly repeats: number;
  /** Step of the newest call, and the repeats that its calls are judged by (I1). */
  readonly step: number;
  readonly before: number;
  /** As it was when it was last called. */
  readonly at: Work;
  /** Changes outside when it was last called; undefined for a call that makes such a change. */
  readonly edition: number | undefined;
}

/** How far an attempt has come. */
export interface Work {
  /** Compactions of the view, and steps of the plan that were finished with something new. */
  readonly stretch: number;
  /** What was seen that had never been seen before, counted. */
  readonly news: number;
}

/** Answers of one call that are compared: a call that cycles through more is caught by what it weighs. */
const answersOfLineMax = 8;
/** Where less that is new came between two looks at the same, the first has hardly been worked on. */
export const newsOfStretchMin = 8;

/** The repeats that a call of this step is judged by. */
export function repeatsBefore(line: Line | undefined, step: number, work: Work): number {
  if (!line) return 0;
  if (line.step === step) return Math.min(line.before, line.repeats); // I1
  return isFresh(line, work) ? 0 : line.repeats;
}

/** The line after a call of this step that answered so. */
export function answered(
  line: Line | undefined,
  answer: string,
  { step, work, edition }: { step: number; work: Work; edition: number | undefined },
): Line {
  const others = line?.answers.filter((one) => one !== answer) ?? [];
  return {
    answers: [...others, answer].slice(-answersOfLineMax),
    repeats: line ? repeatsAfter(line, answer, step, work) : 1,
    step,
    before: repeatsBefore(line, step, work),
    at: work,
    edition,
  };
}

/** The line after a call of this step that was not let run. */
export function stopped(line: Line, step: number, work: Work): Line {
  const again = line.step === step || isFresh(line, work) ? 0 : 1;
  return { ...line, repeats: line.repeats + again, step, before: repeatsBefore(line, step, work), at: work };
}

function repeatsAfter(line: Line, answer: string, step: number, work: Work): number {
  if (!line.answers.includes(answer)) return 0;
  if (line.step === step || isFresh(line, work)) return line.repeats;
  // The call that answered so first is counted with this one.
  return line.repeats === 0 ? 2 : line.repeats + 1;
}

/** I3 */
const isFresh = ({ repeats, at }: Line, { stretch, news }: Work) =>
  repeats <= 1 && stretch > at.stretch && news - at.news >= newsOfStretchMin;
