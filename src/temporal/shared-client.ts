import type { Client } from '@temporalio/client';
import { connectTemporal } from './connect';
import type { TemporalTarget } from './target';

/** One connection for everything that a process asks of Temporal, opened when it is first needed. */
export interface SharedClient {
  /** Rejects where no service answers; the next use tries again. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function sharedClient(target: TemporalTarget): SharedClient {
  let client: Promise<Client> | undefined;
  const connected = (): Promise<Client> => {
    const opening = client ?? connectTemporal(target);
    client = opening;
    opening.catch(() => {
      if (client === opening) client = undefined;
    });
    return opening;
  };
  return {
    use: async (work) => work(await connected()),
    async close() {
      await client?.then(
        ({ connection }) => connection.close(),
        () => undefined,
      );
    },
  };
}
