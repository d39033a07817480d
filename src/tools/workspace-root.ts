import type { ToolContext } from '../activities/ports';

/** A tool with `workspace: true` is given one; without it the caller has a bug, which is no answer for a model. */
export function workspaceRoot({ root }: ToolContext): string {
  if (root === undefined) throw new Error('a workspace tool was called without a workspace');
  return root;
}
