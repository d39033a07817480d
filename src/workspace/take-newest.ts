import type { Host } from './host';
import { type HeldWorktree, makeWorktree } from './make-worktree';
import type { AttemptFolder, WorkspaceRecord } from './record';
import { removeOlder } from './remove-older';
import { resetWorktree } from './reset-worktree';
import { workspaceError } from './workspace-errors';
import { isNewest, newestWorktree } from './worktree';
import { takeWorktree } from './worktree-lock';

/**
 * Takes the worktree in force. Only the execution that owns the attempt's move comes here (M9), so another process that
 * still holds it after the wait works for nobody: it keeps that worktree, and this one gets a fresh one (E10).
 */
export async function takeNewest(
  host: Host,
  at: AttemptFolder,
  record: WorkspaceRecord,
  signal: AbortSignal,
): Promise<HeldWorktree> {
  for (;;) {
    const held = (await takeThere(host, at, signal)) ?? (await makeWorktree(host.git, at, record, signal));
    try {
      if (isNewest(at, held.worktree)) {
        await removeOlder(at, held.worktree);
        return held;
      }
    } catch (error) {
      held.lock.release(undefined);
      throw error;
    }
    held.lock.release(undefined);
  }
}

/** As `takeNewest`, and the worktree is what it was at the snapshot; in a fresh one where files refuse to go. */
export async function takeAt(
  host: Host,
  at: AttemptFolder,
  record: WorkspaceRecord,
  snapshot: string,
  signal: AbortSignal,
): Promise<HeldWorktree> {
  const held = await takeNewest(host, at, record, signal);
  return (await resetHeld(host, held, record, snapshot)) ?? (await inFreshOne(host, at, record, snapshot, signal));
}

async function inFreshOne(
  host: Host,
  at: AttemptFolder,
  record: WorkspaceRecord,
  snapshot: string,
  signal: AbortSignal,
): Promise<HeldWorktree> {
  const made = await makeWorktree(host.git, at, record, signal);
  const held = await resetHeld(host, made, record, snapshot);
  if (held) return held;
  throw workspaceError('GIT_FAILED', 'A fresh worktree cannot be set to the snapshot.', 'Look at the data folder.');
}

async function takeThere(host: Host, at: AttemptFolder, signal: AbortSignal): Promise<HeldWorktree | undefined> {
  const worktree = newestWorktree(at);
  const lock = worktree && (await takeWorktree(worktree.folder, signal, host.waitMs));
  return lock && { worktree, lock };
}

/** Undefined, and the lock is released, where files refuse to go. */
async function resetHeld(
  host: Host,
  held: HeldWorktree,
  record: WorkspaceRecord,
  snapshot: string,
): Promise<HeldWorktree | undefined> {
  const { worktree, lock } = held;
  if (lock.clean?.commit === snapshot) return held;
  try {
    const clean = await resetWorktree(host, worktree, record, snapshot);
    if (clean) return { worktree, lock: { ...lock, clean } };
  } catch (error) {
    lock.release(undefined);
    throw error;
  }
  lock.release(undefined);
  return undefined;
}
