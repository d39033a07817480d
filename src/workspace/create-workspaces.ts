import { join } from 'node:path';
import type { WorkspaceId, WorkspacePort } from '../activities/ports';
import { broughtFiles } from './brought/brought-files';
import { layFiles } from './brought/lay-files';
import { refuseReachable } from './brought/refuse-reachable';
import { withCleanCopy } from './clean-copy';
import { endCommands } from './end-commands';
import { createExclusive } from './exclusive';
import { branchFit } from './git/branch-fit';
import { changedFiles } from './git/changed-files';
import { createGit, type Environment } from './git/git';
import { publishBranch } from './git/publish-branch';
import type { Host } from './host';
import { workspacePaths } from './paths';
import { findWorkspace, prepareWorkspace } from './prepare';
import { prepareFrom } from './prepare-from';
import { attemptFolder } from './record';
import { refuseSource } from './refuse-source';
import { bundleOf, fetchBundles, holdsSnapshot, restoreWorkspace } from './restore';
import { runCommand } from './run-command';
import { findSandbox, type Sandbox, type SandboxChoice } from './sandbox/sandbox';
import { createSerial } from './serial';
import { worktreeFolder, worktreeNumbers } from './worktree';
import { worktreeWaitMs } from './worktree-lock';

/** Attempts whose newest snapshot is remembered; more work on one host at once is not seen, and forgetting costs a git command. */
const knownMax = 1_000;

export interface WorkspaceOptions {
  /** Everything lies below `<dataDir>/workspaces`. */
  readonly dataDir: string;
  readonly sandbox: SandboxChoice;
  /** The worker's environment, for PATH and for reaching remotes and registries; commands get an allow list of it. */
  readonly env: Environment;
  /** Paths that commands may read besides the workspace and the system's programs. */
  readonly readOnly?: readonly string[];
  /** Folders of files that checks bring along, by their names; none where left out. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folders and URLs at or below which a source must lie, looked at whenever it is read or written; anywhere where left out. */
  readonly sources?: readonly string[] | undefined;
  /** How long another process that holds a worktree is waited for, ms; tests change it. */
  readonly waitMs?: number;
}

/**
 * Workspaces on this host: a bare mirror for each source, a worktree for each attempt.
 *
 *   I1  The source is only read, but for the branch that `commit` makes: in the source where it is a local path, in the
 *       mirror where it is a URL. What is uncommitted in a local source is not seen.
 *   I2  The worktree changes only under its lock, and each holder begins at a snapshot (E10).
 *   I3  git never looks for a repository from inside a worktree: what it finds there a command may have written.
 */
export function createWorkspaces(options: WorkspaceOptions): WorkspacePort {
  const host = hostOf(options);
  const serially = createSerial();
  const { exclusive, execHeld, mergeHeld, readable, disown } = createExclusive(host, serially);
  const place = (id: WorkspaceId) => attemptFolder(host.paths, id);
  /** The newest snapshot of each attempt that is known to be here, which saves asking git at every step. */
  const known = new Map<string, string>();
  const keepKnown = (folder: string, snapshot: string) => {
    if (known.size >= knownMax) known.clear();
    known.set(folder, snapshot);
  };

  return {
    async exclusive(id, snapshot, signal, work) {
      const done = await exclusive(id, snapshot, signal, work);
      keepKnown(place(id).folder, done.snapshot);
      return done;
    },
    exec: execHeld,
    merge: mergeHeld,

    async prepare(id, spec, signal, onProgress = () => {}, from) {
      const record = await serially(place(id).folder, () =>
        from ? prepareFrom(host, id, from, signal, onProgress) : prepareWorkspace(host, id, spec, signal, onProgress),
      );
      return { base: record.base.commit, snapshot: from?.snapshot ?? record.base.commit, setupMs: record.setupMs };
    },

    root: readable,

    async holds(id, snapshot, signal) {
      const { folder } = place(id);
      if (known.get(folder) === snapshot) return true;
      const holds = await holdsSnapshot(host, id, snapshot, signal);
      if (holds) keepKnown(folder, snapshot);
      return holds;
    },

    bundle: (id, snapshot, thinOn, signal) => bundleOf(host, id, snapshot, thinOn, signal),

    fetch: (id, bundles, signal) => fetchBundles(host, id, bundles, signal),

    async restore(id, spec, snapshot, bundles, signal) {
      const record = await serially(place(id).folder, () =>
        restoreWorkspace(host, id, spec, snapshot, bundles, signal),
      );
      return { base: record.base.commit, snapshot, setupMs: record.setupMs };
    },

    async execClean(id, snapshot, line, { timeoutMs, signal, files, sealed }) {
      const record = await findWorkspace(host, id, signal);
      if (sealed) await refuseReachable(host, record, files);
      const brought = files && (await broughtFiles(host, files));
      const repository = host.paths.repository(id.tenant, record.source);
      const copy = { folder: repository, gitDir: record.mirror, commit: snapshot };
      return withCleanCopy(host.git, copy, async ({ root, home, mark }) => {
        if (brought) await layFiles(root, brought);
        return runCommand(host, { record, snapshot, root, home, line, timeoutMs, signal, mark });
      });
    },

    async changedFiles(id, from, to) {
      return changedFiles(host.git, (await findWorkspace(host, id, never)).mirror, from, to);
    },

    async commit(id, snapshot, branch, message) {
      const { mirror, source, base } = await findWorkspace(host, id, never);
      refuseSource(host, source);
      return publishBranch(host.git, { gitDir: mirror, source }, { base: base.commit, snapshot, branch, message });
    },

    async fit(id, commit) {
      const { mirror, source, base, spec } = await findWorkspace(host, id, never);
      return branchFit(host.git, { gitDir: mirror, source }, { base: base.commit, commit, ref: spec.ref });
    },

    async killAll(id) {
      const at = place(id);
      for (const number of worktreeNumbers(at)) await endCommands(worktreeFolder(at, number));
      await disown(id);
    },
  };
}

/** Of calls that are quick, but where a mirror has to be made again. */
const never = new AbortController().signal;

function hostOf(options: WorkspaceOptions): Host {
  const { dataDir, sandbox: choice, env, readOnly = [], files = {}, sources, waitMs = worktreeWaitMs } = options;
  let found: Promise<Sandbox> | undefined;
  const sandbox = () => {
    found ??= findSandbox(choice);
    return found;
  };
  const paths = workspacePaths(join(dataDir, 'workspaces'));
  return { paths, git: createGit(env), env, sandbox, readOnly, files, sources, waitMs };
}
