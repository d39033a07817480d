import type { Plan } from './plan';
import { type Report, simulate } from './simulation';

/** Runs that one shrinking may take: each is some ten milliseconds. */
const runsMax = 400;

/**
 * The smallest part of a failing plan that still breaks the same rule: what goes wrong, what the other side does, actions and
 * attempts are taken out one by one, until nothing more can be.
 */
export async function shrink(failing: Report): Promise<Report> {
  const rules = new Set(failing.violations.map(({ rule }) => rule));
  let best = failing;
  let runs = 0;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const smaller of smallerPlans(best.plan)) {
      runs += 1;
      if (runs > runsMax) return best;
      const report = await simulate(smaller);
      if (!report.violations.some(({ rule }) => rules.has(rule))) continue;
      best = report;
      shrunk = true;
      break;
    }
  }
  return best;
}

function* smallerPlans(plan: Plan): Generator<Plan> {
  for (const [i] of plan.attempts.entries())
    if (plan.attempts[i]?.length) yield { ...plan, attempts: replaced(plan.attempts, i, []) };
  for (const [i] of plan.events.entries()) yield { ...plan, events: plan.events.filter((_event, at) => at !== i) };
  for (const key of ['requests', 'probes', 'models'] as const)
    for (const number of Object.keys(plan[key])) yield { ...plan, [key]: without(plan[key], number) };
  if (plan.processes > 1) yield { ...plan, processes: plan.processes - 1 };
  for (const [i, script] of plan.attempts.entries()) {
    for (const [j, step] of script.entries()) {
      if (script.length > 1)
        yield { ...plan, attempts: replaced(plan.attempts, i, script.filter((_step, at) => at !== j)) };
      for (const [k] of step.entries())
        if (step.length > 1)
          yield {
            ...plan,
            attempts: replaced(plan.attempts, i, replaced(script, j, step.filter((_action, at) => at !== k))),
          };
    }
  }
}

const replaced = <T>(items: readonly T[], at: number, by: T): T[] => items.map((item, i) => (i === at ? by : item));

function without<T extends object>(record: T, key: string): T {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as T;
}
