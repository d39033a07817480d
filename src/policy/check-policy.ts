import type { ToolPort } from '../activities/ports';
import type { Principal } from '../domain/policy/policy';
import type { PolicyProblem } from './rules/policy-problem';
import { readRules } from './rules/read-rules';

/**
 * All that is wrong or doubtful in policy files, in their order; nothing where they are as they should be. `files`: absolute;
 * the shipped policy where undefined. Throws for nothing that stands in them.
 */
export function checkPolicy(
  files: readonly string[] | undefined,
  tools: ToolPort,
  principals: readonly Principal[],
): readonly PolicyProblem[] {
  return readRules({ ...(files && { files }), tools, principals, singleUser: false }).problems;
}
