import { endProcess } from './end-process';
import type { StopSteps } from './managed-process';
import { pidsWithArguments } from './pids-with-arguments';
import { identify } from './process-identity';

/**
 * Ends, in order, what a killed predecessor left running on a file or folder, told by the arguments that name it: no
 * record can be missing or stale. Only for the holder of the stack's lock, who knows that nobody else may use it.
 */
export async function endLeftovers(args: readonly string[], stopSteps: StopSteps): Promise<void> {
  for (const pid of pidsWithArguments(args)) {
    const identity = identify(pid);
    if (identity !== undefined) await endProcess(identity, stopSteps);
  }
}
