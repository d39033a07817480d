import type { Merged, MergeSides, ProcessResult, WorkspaceId } from '../activities/ports';
import { isLocked } from './file-lock';
import { mergeSnapshots } from './git/merge-snapshots';
import { type Snapshot, takeSnapshot } from './git/snapshot';
import type { Host } from './host';
import type { HeldWorktree } from './make-worktree';
import { findWorkspace } from './prepare';
import { attemptFolder, readRecord } from './record';
import { restoreGitFile } from './reset-worktree';
import { runCommand } from './run-command';
import type { Serially } from './serial';
import { takeAt, takeNewest } from './take-newest';
import { workspaceError } from './workspace-errors';
import { gitPlace, isNewest, newestWorktree } from './worktree';
import { cleanSnapshot } from './worktree-lock';

interface Run {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * E10, in this order: the lock, the end of what an earlier holder left, the snapshot, the work, the next snapshot. A
 * holder that was taken for dead meanwhile starts no process and returns nothing.
 */
export function createExclusive(host: Host, serially: Serially) {
  const held = new Map<string, HeldWorktree & { readonly snapshot: string }>();

  function exclusive<T>(id: WorkspaceId, snapshot: string, signal: AbortSignal, work: (root: string) => Promise<T>) {
    const at = attemptFolder(host.paths, id);
    return serially(at.folder, async () => {
      signal.throwIfAborted();
      const record = await findWorkspace(host, id, signal);
      const { worktree, lock } = await takeAt(host, at, record, snapshot, signal);
      let clean: Snapshot | undefined; // stays undefined where anything throws, so that the next holder resets
      try {
        await restoreGitFile(worktree);
        held.set(at.folder, { worktree, lock, snapshot });
        const value = await work(worktree.tree);
        const { base, submodules } = record;
        const place = { at: gitPlace(worktree, record), base, ref: at.ref, submodules };
        const next = await takeSnapshot(host.git, place, lock.clean);
        if (!isNewest(at, worktree)) throw superseded();
        clean = next;
        return { value, snapshot: clean.commit };
      } finally {
        held.delete(at.folder);
        lock.release(clean);
      }
    });
  }

  /** A command of the work that holds the worktree; there is nobody else who would end its processes. */
  async function execHeld(id: WorkspaceId, line: string, { timeoutMs, signal }: Run): Promise<ProcessResult> {
    const at = attemptFolder(host.paths, id);
    const holder = held.get(at.folder);
    if (!holder) throw new Error('exec outside of exclusive');
    const { worktree, lock } = holder;
    return runCommand(host, {
      record: await readRecord(at),
      snapshot: holder.snapshot,
      root: worktree.tree,
      built: worktree.built,
      home: worktree.home,
      line,
      timeoutMs,
      signal,
      mark: (mark) => {
        lock.mark(mark); // before the look, so that who takes over meanwhile ends the process or is seen here
        if (!isNewest(at, worktree)) throw superseded();
      },
    });
  }

  /** Into what the work holds; its index is at the snapshot that it began at. */
  async function mergeHeld(id: WorkspaceId, sides: MergeSides): Promise<Merged> {
    const at = attemptFolder(host.paths, id);
    const holder = held.get(at.folder);
    if (!holder) throw new Error('merge outside of exclusive');
    return mergeSnapshots(host.git, gitPlace(holder.worktree, await readRecord(at)), holder.snapshot, sides);
  }

  /** The folder to read, which is the snapshot: what a write that gave up has left there is gone. */
  function readable(id: WorkspaceId, snapshot: string, signal: AbortSignal): Promise<string> {
    const at = attemptFolder(host.paths, id);
    return serially(at.folder, async () => {
      const newest = newestWorktree(at);
      if (newest && cleanSnapshot(newest.folder) === snapshot) return newest.tree;
      const { worktree, lock } = await takeAt(host, at, await findWorkspace(host, id, signal), snapshot, signal);
      lock.release(lock.clean);
      return worktree.tree;
    });
  }

  /** Where another process holds the worktree, it is from here on one that does not count, and may start nothing in it. */
  async function disown(id: WorkspaceId): Promise<void> {
    const at = attemptFolder(host.paths, id);
    const newest = newestWorktree(at);
    if (held.has(at.folder) || !newest || !isLocked(newest.folder)) return;
    await serially(at.folder, async () => {
      const { lock } = await takeNewest(host, at, await readRecord(at), new AbortController().signal);
      lock.release(lock.clean);
    });
  }

  return { exclusive, execHeld, mergeHeld, readable, disown };
}

const superseded = () =>
  workspaceError(
    'WORKSPACE_BUSY',
    'Another process took this workspace over while this one did not answer; nothing of this try was kept.',
    'Try again.',
  );
