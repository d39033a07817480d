import { readFile } from 'node:fs/promises';
import type { WorkflowBundleOption } from '@temporalio/worker';

/**
 * The workflows with stack traces off (docs/decisions/0005). The SDK takes a stack for every promise that a workflow
 * makes, for its stack trace query: two fifths of a workflow's processor time, and of a replay's. What a bug says stays
 * in the failed workflow task; where it is, `holdfast replay` shows, which leaves stacks on.
 */
export async function quietBundle(bundle: WorkflowBundleOption): Promise<{ code: string }> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  return { code: `Error.stackTraceLimit = 0;\n${code}` };
}
