import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from './error-text';
import { describeExit, type ManagedProcess } from './managed-process';

/** One that lived this long was well: its death starts the count anew. */
const stableAfterMs = 10_000;
/** The wait before the second restart in a row (the first is at once), doubled for each further one. */
const firstWaitMs = 200;
/** Often enough that a repaired cause is noticed soon, rare enough not to fill a log. */
const maxWaitMs = 5_000;

export interface KeptProcess {
  /** The process at present, or the last one while a restart waits. */
  current(): ManagedProcess;
  /** Ends it for good; returns when nothing of it is left. Can be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a process and starts it again whenever it ends without being stopped: at once, and with growing waits where it
 * keeps dying young. `start` may give up when told that a stop came meanwhile. The first start's failure is the
 * caller's; later ones are told and tried again, without end.
 */
export async function keepRunning(
  name: string,
  start: (stopping: AbortSignal) => Promise<ManagedProcess>,
  options: { tell: (text: string) => void; onRestart?: (process: ManagedProcess) => void },
): Promise<KeptProcess> {
  const stopping = new AbortController();
  let current = await start(stopping.signal);

  const watch = async () => {
    let inARow = 0;
    for (;;) {
      const since = performance.now();
      const exit = await current.exited;
      if (stopping.signal.aborted) return;
      options.tell(`${name} ended with ${describeExit(exit)}; starting it again`);
      if (performance.now() - since >= stableAfterMs) inARow = 0;
      do {
        await sleep(waitMs(inARow++), undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
      } while (!(await restart()));
    }
  };
  const restart = async (): Promise<boolean> => {
    try {
      current = await start(stopping.signal);
      options.onRestart?.(current);
      return true;
    } catch (error) {
      if (!stopping.signal.aborted) options.tell(`${name} could not be started again: ${errorText(error)}`);
      return false;
    }
  };

  const watching = watch();
  return {
    current: () => current,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watching;
      await current.stop(); // one that was being started meanwhile
    },
  };
}

/** @param inARow restarts before this one without a good life between them */
function waitMs(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(firstWaitMs * 2 ** (inARow - 1), maxWaitMs);
}
