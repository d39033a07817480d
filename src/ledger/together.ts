import type { PoolClient } from 'pg';

/**
 * Sends the statements that `send` queries without waiting between them, in one write to the socket, which costs more than
 * most of them take to run. The server answers them in order (`pipeline`); each may fail by itself.
 */
export function together<T>(client: PoolClient, send: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
