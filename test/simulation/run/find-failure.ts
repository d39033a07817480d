import { describeReport } from './describe-report';
import { planOf } from './plan';
import { shrink } from './shrink';
import { type Report, simulate } from './simulation';

/** The shrunk schedule behind a failing one, with its trace. */
export async function explain(failing: Report): Promise<string> {
  const rules = failing.violations.map(({ rule }) => rule);
  const plan = await shrink(failing.plan, rules, async (smaller) => (await simulate(smaller)).violations);
  return describeReport(await simulate(plan, true));
}

export interface Sweep {
  readonly seeds: number;
  readonly steps: number;
  readonly redecisions: number;
  /** Of all schedules together, what they reached. */
  readonly reached: Readonly<Record<string, number>>;
  readonly failed: readonly { readonly seed: number; readonly report: Report }[];
}

/** Runs the schedules of so many seeds; `onSeed` is told of each. */
export async function sweep(from: number, seeds: number, onSeed: (report: Report) => void = () => {}): Promise<Sweep> {
  const reached: Record<string, number> = {};
  const failed: { seed: number; report: Report }[] = [];
  let steps = 0;
  let redecisions = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const report = await simulate(planOf(seed));
    steps += report.steps;
    redecisions += report.redecisions;
    for (const [name, count] of Object.entries(report.reached)) reached[name] = (reached[name] ?? 0) + count;
    if (report.violations.length > 0) failed.push({ seed, report });
    onSeed(report);
  }
  return { seeds, steps, redecisions, reached, failed };
}
