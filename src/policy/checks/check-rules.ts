import type { ToolPort } from '../../activities/ports';
import type { Principal } from '../../domain/policy/policy';
import type { CelEnvironment } from '../condition/cel';
import type { PlacedRule } from '../rules/placed-rule';
import type { PolicyProblem } from '../rules/policy-problem';
import { errorAt } from '../rules/rule-problem';
import { checkApprovers } from './check-approvers';
import { checkConstraints } from './check-constraints';
import { checkLeftOut } from './check-left-out';
import { neverDecides } from './never-decides';
import { governedTools, reachOf } from './reach';

export interface RuleSurroundings {
  readonly principals: readonly Principal[];
  readonly tools: ToolPort;
  readonly environment: CelEnvironment;
}

/** What is wrong or doubtful in rules as they stand together. */
export function checkRules(
  placed: readonly PlacedRule[],
  { principals, tools, environment }: RuleSurroundings,
): readonly PolicyProblem[] {
  const governed = governedTools(tools);
  const reaching = placed.map(({ rule }) => ({ rule, reach: reachOf(rule, governed, environment) }));
  return reaching.flatMap(({ rule, reach }, index) => {
    const place = placed[index]?.place;
    if (place === undefined) return [];
    const earlier = placed.slice(0, index).find((other) => other.rule.id === rule.id)?.rule.at;
    if (earlier !== undefined)
      return [place(errorAt(['id'], `another rule is called "${rule.id}" (${earlier.file}:${earlier.line})`))];
    return [
      ...neverDecides(index, reaching, governed),
      ...checkLeftOut(rule, reach, governed),
      ...checkConstraints(rule, reach, governed),
      ...checkApprovers(rule, principals),
    ].map(place);
  });
}
