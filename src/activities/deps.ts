import type { NumberedDeps } from './numbered-call';
import type { ArtifactPort, ModelPort, WorkspacePort } from './ports';

/** What the activities of one worker stand on. */
export interface ActivityDeps extends NumberedDeps {
  readonly models: ModelPort;
  readonly workspaces: WorkspacePort;
  readonly artifacts: ArtifactPort;
}
