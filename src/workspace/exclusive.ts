import type { ProcessResult } from '../activities/ports';
import { type Snapshot, takeSnapshot } from './git/snapshot';
import type { Host } from './host';
import { type AttemptFolder, gitPlace, readRecord } from './record';
import { resetWorktree, restoreGitFile } from './reset-worktree';
import { runCommand } from './run-command';
import type { Serially } from './serial';
import { takeWorktree, type WorktreeLock } from './worktree-lock';

interface Run {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** E10, in this order: the lock, the end of what an earlier holder left, the snapshot, the work, the next snapshot. */
export function createExclusive(host: Host, serially: Serially) {
  const held = new Map<string, WorktreeLock>();

  function exclusive<T>(at: AttemptFolder, snapshot: string, signal: AbortSignal, work: (root: string) => Promise<T>) {
    return serially(at.folder, async () => {
      signal.throwIfAborted();
      const record = await readRecord(at);
      const lock = await takeWorktree(at.folder, signal, host.waitMs);
      let clean: Snapshot | undefined; // stays undefined where anything throws, so that the next holder resets
      try {
        const isThere = lock.clean?.commit === snapshot;
        const current = isThere ? record : await resetWorktree(host.git, at, record, snapshot);
        await restoreGitFile(at, current);
        held.set(at.folder, lock);
        const value = await work(at.tree);
        const { base, submodules } = current;
        const last = isThere ? lock.clean : undefined;
        clean = await takeSnapshot(host.git, { at: gitPlace(at, current), base, ref: at.ref, submodules }, last);
        return { value, snapshot: clean.commit };
      } finally {
        held.delete(at.folder);
        lock.release(clean);
      }
    });
  }

  /** A command of the work that holds the worktree; there is nobody else who would end its processes. */
  async function execHeld(at: AttemptFolder, line: string, { timeoutMs, signal }: Run): Promise<ProcessResult> {
    const lock = held.get(at.folder);
    if (!lock) throw new Error('exec outside of exclusive');
    return runCommand(host, {
      record: await readRecord(at),
      root: at.tree,
      home: at.home,
      line,
      timeoutMs,
      signal,
      mark: lock.mark,
    });
  }

  return { exclusive, execHeld };
}
