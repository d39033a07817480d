import { setTimeout as sleep } from 'node:timers/promises';
import { allProcesses, hasInEnvironment, isAlive, type ProcessIdentity, type ProcessRow } from './process-table';

/**
 * How the processes of one command are found again, also after the worker that started them died:
 *
 *   I1  by the group that its leader opened, while that group is still the leader's (pid and start);
 *   I2  by a tag in their environment, which children inherit through setsid, nohup and a double fork;
 *   I3  by descent from any of these.
 *
 * A process that empties its environment and leaves group and parent is found by none of them: only the sandbox's pid
 * namespace ends that one.
 */
export interface ProcessMark {
  readonly leader: ProcessIdentity;
  readonly tag: string;
}

export const tagVariable = 'HOLDFAST_COMMAND';

/** A killed process is gone within milliseconds unless it hangs in the kernel; then nobody can end it, ms. */
const endDeadlineMs = 5_000;
/** Long enough for the kernel to end what was just killed, and short enough that nobody waits for the look itself, ms. */
const lookAgainMs = 5;

/** Pids of what the command left running, its leader included. */
export function processesOf(mark: ProcessMark): readonly number[] {
  const rows = allProcesses();
  const found = new Set(rows.filter((row) => isMarked(row, mark)).map((row) => row.pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid); // I3
  }
  found.delete(process.pid);
  return [...found];
}

/** Kills them all, but for `spared`, and returns once none is left; false where one could not be ended in time. */
export const endProcesses = (mark: ProcessMark, spared?: number): Promise<boolean> =>
  endAll(() => processesOf(mark).filter((pid) => pid !== spared));

/** As `endProcesses`, for whatever was started with this in its environment. */
export const endStartedWith = (assignment: string): Promise<boolean> =>
  endAll(() =>
    allProcesses()
      .map((row) => row.pid)
      .filter((pid) => pid !== process.pid && hasInEnvironment(pid, assignment)),
  );

async function endAll(find: () => readonly number[]): Promise<boolean> {
  const deadline = performance.now() + endDeadlineMs;
  for (;;) {
    const left = find();
    if (left.length === 0) return true;
    for (const pid of left) signalProcess(pid, 'SIGKILL');
    if (performance.now() > deadline) return false;
    await sleep(lookAgainMs);
  }
}

/** A process that has ended meanwhile, or is another user's, is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended between the look and the signal
  }
}

/** Returns once the process is gone; false where it still runs at the deadline. */
export async function waitUntilGone(identity: ProcessIdentity): Promise<boolean> {
  const deadline = performance.now() + endDeadlineMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await sleep(lookAgainMs);
  }
  return true;
}

function isMarked(row: ProcessRow, mark: ProcessMark): boolean {
  if (row.pid === mark.leader.pid) return row.started === mark.leader.started;
  // A group's number stays taken while it has members; a new leader with that pid means that ours has none.
  if (row.group === mark.leader.pid && isOurGroup(mark.leader)) return true; // I1
  return hasInEnvironment(row.pid, `${tagVariable}=${mark.tag}`); // I2
}

function isOurGroup(leader: ProcessIdentity): boolean {
  return isAlive(leader) || !pidIsTaken(leader.pid);
}

function pidIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
