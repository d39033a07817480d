import type { FailureClass } from '../../src/domain/failure/failure';
import { type WorkspaceCode, workspaceError } from '../../src/workspace/workspace-errors';

/** Each code has a row here, or this does not compile. */
const told: Record<WorkspaceCode, FailureClass> = {
  NOT_A_REPOSITORY: 'environment_drift',
  EMPTY_REPOSITORY: 'environment_drift',
  SOURCE_NOT_ALLOWED: 'environment_drift',
  UNKNOWN_REF: 'environment_drift',
  CLONE_FAILED: 'environment_drift',
  SETUP_FAILED: 'environment_drift',
  WORKSPACE_MISSING: 'unrecoverable',
  SNAPSHOT_MISSING: 'unrecoverable',
  WORKSPACE_BUSY: 'tool_transient',
  FILES_MISSING: 'environment_drift',
  FILES_CHANGED: 'environment_drift',
  FILES_UNFIT: 'environment_drift',
  FILES_REACHABLE: 'environment_drift',
  SANDBOX_MISSING: 'environment_drift',
  NESTED_REPOSITORY: 'state_conflict',
  SNAPSHOT_TOO_LARGE: 'state_conflict',
  HAS_SUBMODULES: 'environment_drift',
  BRANCH_EXISTS: 'state_conflict',
  BAD_BRANCH: 'tool_argument',
  PROCESS_SURVIVES: 'unrecoverable',
  DISK_FULL: 'unrecoverable',
  GIT_FAILED: 'unrecoverable',
};

test.each(Object.entries(told) as [WorkspaceCode, FailureClass][])('R8.1 %s of a workspace is %s', (code, kind) => {
  const error = workspaceError(code, 'https://ana:ghp_token@git.example/x failed', 'Look.');
  expect(error.failure).toEqual({ class: kind, code });
  expect(error.message).toBe('https://git.example/x failed'); // R10.4
});
