import { describeReport } from './run/describe-report';
import type { Plan } from './run/plan';
import { simulate } from './run/simulation';
import kept from './seeds.json';

/** Each is a schedule that found a fault, made as small as it goes. */
test.each(kept.map(({ rule, what, plan }) => [rule, what, plan as unknown as Plan] as const))(
  '%s %s',
  async (_rule, _what, plan) => {
    const report = await simulate(plan, true);
    if (report.violations.length > 0) throw new Error(describeReport(report));
  },
);
