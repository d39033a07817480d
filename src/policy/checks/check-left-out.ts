import type { RunnableTool } from '../../activities/ports';
import { absenceOf } from '../condition/absence';
import { argumentAccesses } from '../condition/argument-access';
import { partsOf } from '../condition/parts-of';
import type { Rule } from '../rules/rule';
import { type RuleProblem, warningAt } from '../rules/rule-problem';
import type { Reach } from './reach';

/** Arguments that a condition reads without asking for them by `has()`, and that calls of tools in its reach may leave out (R5.1). */
export function checkLeftOut(
  { condition, decision }: Rule,
  { some }: Reach,
  tools: readonly RunnableTool[],
): readonly RuleProblem[] {
  if (condition === undefined) return [];
  const accesses = argumentAccesses(condition.root);
  const asked = new Set(accesses.flatMap((access) => (access.asked ? [nameOf(access.path)] : [])));
  const then = decision.kind === 'deny' ? 'and the rule then denies the call' : 'and the rule then does not match';
  const reached = tools.filter(({ name }) => some.includes(name));
  const warned = new Set<string>();
  return partsOf(condition.root).flatMap(({ part, about }) =>
    argumentAccesses(part).flatMap(({ path, at }) => {
      const name = nameOf(path);
      if (asked.has(name)) return [];
      const lacking = reached.filter(
        (tool) => (about?.has(tool.name) ?? true) && mayLeaveOut(tool, path) && !warned.has(`${tool.name} ${name}`),
      );
      if (lacking.length === 0) return [];
      for (const tool of lacking) warned.add(`${tool.name} ${name}`);
      const names = lacking.map((tool) => tool.name).join(', ');
      const message = `${names} may be called without ${name}, ${then}; say what holds then with has(${name})`;
      return [warningAt(['when'], message, at)];
    }),
  );
}

const nameOf = (path: readonly string[]) => ['args', ...path].join('.');

/** Of `args.order.id` the shortest beginning that may lack is warned of, and nothing below it. */
function mayLeaveOut({ schema }: RunnableTool, path: readonly string[]): boolean {
  return absenceOf(schema, path) === 'optional' && absenceOf(schema, path.slice(0, -1)) === 'given';
}
