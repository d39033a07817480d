import type { Plan } from './plan';
import type { Violation } from './violations';

/** Runs that one shrinking may take: each is some ten milliseconds, and one that waits for ever a second. */
const runsMax = 400;

/**
 * The smallest part of a failing plan that still breaks a rule that the whole one broke: what goes wrong, what the other side
 * does, processes, actions and attempts are taken out one by one, until none can be.
 */
export async function shrink(
  plan: Plan,
  rules: readonly string[],
  run: (plan: Plan) => Promise<readonly Violation[]>,
): Promise<Plan> {
  let best = plan;
  let runs = 0;
  const fails = async (smaller: Plan) => {
    runs += 1;
    return (await run(smaller)).some(({ rule }) => rules.includes(rule));
  };
  for (;;) {
    let smallest: Plan | undefined;
    for (const smaller of smallerPlans(best)) {
      if (runs >= runsMax) return best;
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      break;
    }
    if (!smallest) return best;
    best = smallest;
  }
}

function* smallerPlans(plan: Plan): Generator<Plan> {
  for (const [i, script] of plan.attempts.entries())
    if (script.length > 0) yield { ...plan, attempts: replaced(plan.attempts, i, []) };
  for (const i of plan.events.keys()) yield { ...plan, events: dropped(plan.events, i) };
  for (const key of ['requests', 'probes', 'models'] as const)
    for (const number of Object.keys(plan[key])) yield { ...plan, [key]: without(plan[key], number) };
  if (plan.beside)
    for (const number of Object.keys(plan.beside.looks))
      yield { ...plan, beside: { ...plan.beside, looks: without(plan.beside.looks, number) } };
  if (plan.processes > 1) yield { ...plan, processes: plan.processes - 1 };
  for (const [i, script] of plan.attempts.entries())
    for (const smaller of smallerScripts(script)) yield { ...plan, attempts: replaced(plan.attempts, i, smaller) };
}

/** Never an empty one: that is an attempt less. */
function* smallerScripts(script: Plan['attempts'][number]): Generator<Plan['attempts'][number]> {
  for (const [j, step] of script.entries()) {
    if (script.length > 1) yield dropped(script, j);
    if (step.length > 1) for (const k of step.keys()) yield replaced(script, j, dropped(step, k));
  }
}

const replaced = <T>(items: readonly T[], at: number, by: T): T[] => items.map((item, i) => (i === at ? by : item));
const dropped = <T>(items: readonly T[], at: number): T[] => items.filter((_item, i) => i !== at);

function without<T extends object>(record: T, key: string): T {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as T;
}
