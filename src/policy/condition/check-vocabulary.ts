import type { ToolPort } from '../../activities/ports';
import { taskKinds } from '../../domain/contract/contract';
import { effectClasses } from '../../domain/effect/effect';
import { errorAt, type RuleProblem } from '../rules/rule-problem';
import type { Condition } from './condition';
import { namedLiterals } from './named-literals';
import { nodesOf } from './nodes';

/** Names that a fact can never have: a misspelt tool or effect would make a rule that silently never matches. */
export function checkVocabulary({ root }: Condition, tools: ToolPort): readonly RuleProblem[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    tool: tools.names(),
    effect: ['none', ...effectClasses],
    'contract.kind': taskKinds,
  };
  return nodesOf(root)
    .flatMap(namedLiterals)
    .flatMap(({ fact, value, at }) => {
      const values = Object.hasOwn(known, fact) ? known[fact] : undefined;
      if (values === undefined || values.includes(value)) return [];
      const what = fact === 'tool' ? `no tool is named "${value}"` : `${fact} is never "${value}"`;
      return [errorAt(['when'], `${what}; there are ${values.join(', ')}`, at)];
    });
}
