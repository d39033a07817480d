import type { Environment, Git } from './git/git';
import type { WorkspacePaths } from './paths';
import type { Sandbox } from './sandbox/sandbox';

/** What this machine gives to every operation on a workspace. */
export interface Host {
  readonly paths: WorkspacePaths;
  readonly git: Git;
  /** The worker's own environment; commands get an allow list of it. */
  readonly env: Environment;
  readonly sandbox: () => Promise<Sandbox>;
  /** Paths that commands may read besides the workspace and the system's programs. */
  readonly readOnly: readonly string[];
  /** Folders of files that checks bring along, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** Where sources may lie; anywhere where undefined. */
  readonly sources: readonly string[] | undefined;
  /** How long another process that holds a worktree is waited for, ms. */
  readonly waitMs: number;
}
