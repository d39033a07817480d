import type { Contract, Criterion } from '../contract/contract';
import { withImplied } from '../contract/implied';
import { neededChecks } from '../contract/needed-checks';
import type { Delegation } from './delegation';

/** The tool that asks for a child. */
export const delegateTool = 'delegate';
/** The tool that brings a child's files to its parent. */
export const mergeTool = 'merge_branch';

export type ChildContract =
  | { readonly ok: true; readonly contract: Contract }
  /** Worded for the model. */
  | { readonly ok: false; readonly code: ContractFault; readonly why: string; readonly next: string };
export type ContractFault = 'TOOL_NOT_HELD' | 'KIND_NEEDS_CHECK' | 'KIND_NEEDS_WORKSPACE' | 'CHECK_NAMED_TWICE';

/**
 * The contract of a child (R15.1). What binds the parent binds it too: its constraints, what it forbids, and no tool that the
 * parent lacks.
 */
export function childContract(parent: Contract, asked: Delegation): ChildContract {
  const held = parent.tools.filter((tool) => !parent.forbidden.includes(tool));
  const { goal, kind, acceptance = [], tools = held.filter((tool) => tool !== delegateTool) } = asked;
  const lacking = tools.filter((tool) => !held.includes(tool));
  if (lacking.length > 0)
    return no(
      'TOOL_NOT_HELD',
      `You cannot give away what you do not have: ${lacking.join(', ')}.`,
      `Name tools of yours: ${held.join(', ') || 'there are none'}.`,
    );
  const twice = acceptance.find(({ id }, at) => acceptance.findIndex((other) => other.id === id) < at);
  if (twice) return no('CHECK_NAMED_TWICE', `Two checks are named ${twice.id}.`, 'Give each a name of its own.');
  if (kind === 'code_change' && !parent.workspace)
    return no('KIND_NEEDS_WORKSPACE', 'A code_change needs files, and you work on none.', 'Choose another kind.');
  const { needed, example } = neededChecks[kind];
  if (needed.length > 0 && !acceptance.some(({ check }) => needed.includes(check)))
    return no('KIND_NEEDS_CHECK', `A ${kind} needs at least one check.`, `Add one to acceptance, such as ${example}.`);
  const criteria: readonly Criterion[] = acceptance;
  const { constraints, forbidden, workspace } = parent;
  return {
    ok: true,
    contract: withImplied({
      kind,
      goal,
      constraints,
      forbidden,
      tools,
      acceptance: criteria,
      ...(workspace && { workspace }),
    }),
  };
}

const no = (code: ContractFault, why: string, next: string): ChildContract => ({ ok: false, code, why, next });
