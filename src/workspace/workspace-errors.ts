import { WorkspaceError } from '../activities/ports';
import { withoutCredentials } from '../domain/contract/without-credentials';
import type { FailureClass } from '../domain/failure/failure';

/** Each way in which a workspace fails, with its class (R8.2). */
const classes = {
  NOT_A_REPOSITORY: 'environment_drift',
  EMPTY_REPOSITORY: 'environment_drift',
  SOURCE_NOT_ALLOWED: 'environment_drift',
  UNKNOWN_REF: 'environment_drift',
  HAS_SUBMODULES: 'environment_drift',
  CLONE_FAILED: 'environment_drift',
  SETUP_FAILED: 'environment_drift',
  WORKSPACE_MISSING: 'unrecoverable', // no business of the model: somebody has to bring the data folder back
  SNAPSHOT_MISSING: 'unrecoverable',
  WORKSPACE_BUSY: 'tool_transient',
  FILES_MISSING: 'environment_drift',
  FILES_CHANGED: 'environment_drift',
  FILES_UNFIT: 'environment_drift',
  FILES_REACHABLE: 'environment_drift',
  SANDBOX_MISSING: 'environment_drift',
  NESTED_REPOSITORY: 'state_conflict',
  SNAPSHOT_TOO_LARGE: 'state_conflict',
  BRANCH_EXISTS: 'state_conflict',
  BAD_BRANCH: 'tool_argument',
  PROCESS_SURVIVES: 'unrecoverable',
  DISK_FULL: 'unrecoverable',
  GIT_FAILED: 'unrecoverable',
} as const satisfies Record<string, FailureClass>;
export type WorkspaceCode = keyof typeof classes;

/** What git, a package manager or a person's configuration put into the message is shown without secrets (R10.4). */
export function workspaceError(code: WorkspaceCode, message: string, suggestedAction: string): WorkspaceError {
  return new WorkspaceError({ class: classes[code], code }, withoutCredentials(message), suggestedAction);
}
