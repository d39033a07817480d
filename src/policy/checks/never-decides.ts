import type { RunnableTool } from '../../activities/ports';
import { toolsNamed } from '../condition/tools-named';
import type { Rule } from '../rules/rule';
import { type RuleProblem, warningAt } from '../rules/rule-problem';
import type { Reach } from './reach';

export interface Reaching {
  readonly rule: Rule;
  readonly reach: Reach;
}

/** Why a rule decides nothing, whatever call comes: its condition is false for every tool, or others decide before it. */
export function neverDecides(
  index: number,
  reaching: readonly Reaching[],
  tools: readonly RunnableTool[],
): readonly RuleProblem[] {
  const own = reaching[index];
  if (own === undefined) return [];
  const { rule, reach } = own;
  if (reach.some.length === 0) return [warningAt(['when'], `the rule can never match: ${whyNone(rule, tools)}`)];

  const before = reaching.filter((other, place) => decidesBefore(other.rule, rule, place < index));
  const shadows = reach.some.map((name) => before.find((other) => other.reach.every.includes(name))?.rule.id);
  if (shadows.includes(undefined)) return [];
  const ids = [...new Set(shadows)].map((id) => `"${id}"`).join(' and ');
  return [warningAt(['id'], `the rule never decides: every call that it could match is decided by ${ids} before`)];
}

/** A deny decides before any rule that is none, wherever it stands; else the earlier one does. */
function decidesBefore(other: Rule, rule: Rule, isEarlier: boolean): boolean {
  if (other === rule) return false;
  if (other.decision.kind === 'deny') return isEarlier || rule.decision.kind !== 'deny';
  return isEarlier && rule.decision.kind !== 'deny';
}

function whyNone({ condition, except }: Rule, tools: readonly RunnableTool[]): string {
  const named = condition && toolsNamed(condition.root);
  if (named === undefined || named.size === 0) return 'its condition is false for every tool';
  const words = [...named].map((name) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return `${name} is never put before policy`;
    if (except.includes(name)) return `${name} is exempt from it`;
    return `${name} has the effect ${tool.effect}${tool.workspace ? ' in the workspace' : ''}`;
  });
  return words.join(', ');
}
