import type { NumberedDeps } from './numbered-call';
import type { ArtifactPort, ModelPort, PolicyPort, ToolPort, WorkspacePort } from './ports';

/** What the activities of one worker stand on. */
export interface ActivityDeps extends NumberedDeps {
  readonly models: ModelPort;
  readonly tools: ToolPort;
  readonly policy: PolicyPort;
  readonly workspaces: WorkspacePort;
  readonly artifacts: ArtifactPort;
}
