import type { RunnableTool } from '../../activities/ports';
import type { Constraint } from '../../domain/policy/policy';
import { knownProperties } from '../condition/argument-environment';
import type { Rule } from '../rules/rule';
import { type RuleProblem, warningAt } from '../rules/rule-problem';
import type { Reach } from './reach';

/** Constraints that nobody can hold a tool to whose calls the rule may match: those calls are denied (R5.2). */
export function checkConstraints(
  { decision }: Rule,
  { some }: Reach,
  tools: readonly RunnableTool[],
): readonly RuleProblem[] {
  if (decision.kind !== 'constrained_allow') return [];
  const reached = tools.filter(({ name }) => some.includes(name));
  return decision.constraints.flatMap((constraint, index) => {
    const refused = reached.flatMap((tool) => {
      const why = lacking(tool, constraint);
      return why === undefined ? [] : [{ name: tool.name, why }];
    });
    const [first] = refused;
    if (first === undefined) return [];
    const names = refused.map(({ name }) => name).join(', ');
    return [warningAt(['constraints', index], `${names}: ${first.why}, so each call is denied`)];
  });
}

/** What a tool lacks to be held to a constraint; undefined where it can be. */
function lacking({ enforces, schema }: RunnableTool, constraint: Constraint): string | undefined {
  switch (constraint.kind) {
    case 'pathPrefix':
      return enforces?.paths === undefined ? 'no paths are known of its calls' : undefined;
    case 'hosts':
      return enforces?.hosts === undefined ? 'no hosts are known of its calls' : undefined;
    case 'readOnlyRole':
      return enforces?.readOnlyRole === undefined ? 'it has no read-only role' : undefined;
    case 'maxAmount': {
      const properties = knownProperties(schema);
      if (properties === undefined || Object.hasOwn(properties, constraint.argument)) return undefined;
      return `it has no argument "${constraint.argument}"`;
    }
    case 'timeLimit':
    case 'callsPerHour':
      return undefined;
  }
}
