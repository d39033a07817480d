import { setTimeout as sleep } from 'node:timers/promises';
import { ServerEndedError } from './wait-until-ready';

/** A port may be taken between our look and the server's; several times in a row is another trouble. */
const startAttempts = 4;
/** What a killed server left, such as shared memory or a lock, needs a moment to go. */
const betweenAttemptsMs = 250;

/** Tries `start` again where the server ended at once; `first` tells it to prefer the earlier ports. */
export async function startOnFreePort<T>(start: (first: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(attempt === 1);
    } catch (error) {
      if (attempt === startAttempts || !(error instanceof ServerEndedError)) throw error;
      await sleep(betweenAttemptsMs);
    }
  }
}
