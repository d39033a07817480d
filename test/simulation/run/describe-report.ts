import type { Report } from './simulation';

/** What nobody needs to see of a failing schedule: time that passes, and looks that find nothing. */
const dull = /(looks|looks after a task of \S+|listens to \S+ \d+|limit of \S+ \d+|limit \d+)$/;
const shownChars = 240;

/** A failing schedule for a person: what it broke, what made it, step by step, and how to run it again. */
export function describeReport({ plan, violations, trace }: Report): string {
  return [
    ...violations.map(({ rule, what }) => `${rule} ${what}`),
    '',
    `The schedule (keep it in test/simulation/seeds.json): ${JSON.stringify(plan)}`,
    `Again, and shrunk again: npm run simulate -- --seed ${plan.seed}`,
    '',
    ...trace.filter((line) => !dull.test(line)).map((line) => line.slice(0, shownChars)),
  ].join('\n');
}
