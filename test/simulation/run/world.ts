import type { ArtifactPort, WorkspacePort } from '../../../src/activities/ports';
import { defaultLimits } from '../../../src/domain/budget/account';
import type { MemoryStart } from '../memory/new-attempt';
import { writeNames } from '../outside/tools';
import type { Plan } from './plan';

/** The attempt that a simulated task starts. */
export function startOf(
  task: string,
  { quickModel, stepsPerRun, contextTokens, beside }: Plan,
  timeoutMs: number,
): MemoryStart {
  return {
    tenant: 'default',
    task,
    contract: {
      kind: 'dialog',
      goal: 'Do it.',
      constraints: [],
      forbidden: [],
      tools: [...writeNames, 'look', 'peek'],
      acceptance: [],
    },
    limits: {
      ...defaultLimits,
      maxRuntimeMs: 24 * 3_600_000,
      maxTokens: contextTokens === undefined ? 100_000 : 10_000_000,
      maxToolCalls: 500,
    },
    input: 'Please.',
    snapshot: {
      kind: 'dialog',
      hasWorkspace: false,
      criteria: [],
      models: [{ name: 'scripted', quick: quickModel, timeoutMs }],
      ...(beside ? { flow: 2, parallelActionsMax: beside.max } : { flow: 1 }),
      stepsPerRun,
      searchAttributes: false,
    },
    by: 'starter',
  };
}

/** Simulated attempts have no files. */
export const noWorkspaces = new Proxy({} as WorkspacePort, {
  get: (_target, name) => () => Promise.reject(new Error(`There are no workspaces (${String(name)}).`)),
});

/** Simulated texts are short, so each is kept in its row. */
export const noArtifacts: ArtifactPort = {
  put: () => Promise.reject(new Error('There is no object store.')),
  get: () => Promise.resolve(undefined),
};
