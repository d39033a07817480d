import { Client, Connection } from '@temporalio/client';
import type { TemporalTarget } from './target';

/** A service that is there answers in milliseconds; a person waits no longer than this to read that it is not. */
export const temporalConnectTimeoutMs = 3_000;

/** Rejects where no service answers in `temporalConnectTimeoutMs`. The caller closes `client.connection`. */
export async function connectTemporal({ address, namespace, connection }: TemporalTarget): Promise<Client> {
  const { metadata, ...credentials } = connection;
  const opened = await Connection.connect({
    address,
    connectTimeout: temporalConnectTimeoutMs,
    ...credentials,
    ...(metadata && { metadata: { ...metadata } }),
  });
  return new Client({ connection: opened, namespace });
}
