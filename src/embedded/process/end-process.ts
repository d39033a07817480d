import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../domain/failure/error-code';
import { isAlive, type ProcessIdentity } from './process-identity';

/** How often a dying process is looked at: short against every grace below, and cheap (one read of /proc). */
const pollMs = 20;
/** After SIGKILL only the kernel is at work; past this it hangs in a device and nobody can help. */
const afterKillMs = 5_000;

/** A signal, and how long the process then has before the next step. */
export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/**
 * Ends exactly this process (never one that has its pid now) by the steps in order and then SIGKILL; returns when it is gone.
 * Throws where even SIGKILL does not end it.
 */
export async function endProcess(identity: ProcessIdentity, steps: readonly EndStep[]): Promise<void> {
  for (const { signal, graceMs } of [...steps, { signal: 'SIGKILL' as const, graceMs: afterKillMs }]) {
    if (!isAlive(identity)) return;
    send(identity.pid, signal);
    if (await goneWithin(identity, graceMs)) return;
  }
  throw new Error(`Process ${identity.pid} did not end after SIGKILL`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error; // it went by itself
  }
}

async function goneWithin(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (isAlive(identity)) {
    if (performance.now() >= until) return false;
    await sleep(pollMs);
  }
  return true;
}
