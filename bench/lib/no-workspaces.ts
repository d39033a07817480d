import type { WorkspacePort } from '../../src/activities/ports';

/** For attempts without a workspace: fails where one is asked for. */
export const noWorkspaces = new Proxy({} as WorkspacePort, {
  get: (_target, name) => () => Promise.reject(new Error(`no workspaces here (${String(name)})`)),
});
