import type { Body } from '../activities/ledger-port';

/** A step as the view's query reads it. */
export interface StepRow {
  readonly step: number;
  readonly body: Body;
  readonly calls: readonly {
    readonly callId: string;
    readonly tool: string;
    readonly args: Body;
    readonly output: string | null;
  }[];
}

/** Attempts whose steps are kept: more than one worker advances at once on one machine. */
const attemptsKeptMax = 64;
/** Texts of one attempt that are kept, in characters; a longer view is read anew each time. */
const keptCharsMax = 500_000;

/**
 * Steps of this process's attempts that are whole, without a gap from behind a projection on; a later projection only hides
 * more of them. Their rows are only ever inserted and each call of theirs has its
 * observation, so nothing of them can change, whoever else works on the attempt.
 */
export class StepCache {
  /** The one used last is the newest entry. */
  private readonly kept = new Map<number, readonly StepRow[]>();

  of(attempt: number): readonly StepRow[] {
    return this.kept.get(attempt) ?? [];
  }

  /** Keeps the whole ones among steps that follow each other, up to the first that is not whole. */
  keep(attempt: number, steps: readonly StepRow[]): void {
    const open = steps.findIndex((row) => !isWhole(row));
    const whole = open < 0 ? steps : steps.slice(0, open);
    this.kept.delete(attempt);
    if (whole.length === 0 || chars(whole) > keptCharsMax) return;
    this.kept.set(attempt, whole);
    const [oldest] = this.kept.keys();
    if (this.kept.size > attemptsKeptMax && oldest !== undefined) this.kept.delete(oldest);
  }
}

const isWhole = ({ calls }: StepRow) => calls.every(({ output }) => output !== null);

function chars(steps: readonly StepRow[]): number {
  const length = (body: StepRow['body']) => ('text' in body ? body.text.length : 0);
  return steps.reduce(
    (sum, { body, calls }) =>
      sum + length(body) + calls.reduce((of, { args, output }) => of + length(args) + (output?.length ?? 0), 0),
    0,
  );
}
