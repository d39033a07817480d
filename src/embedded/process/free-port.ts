import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that was free a moment ago; `preferred` where that one is (so that an address survives a restart).
 * Another program can take it before its user binds it: whoever starts a server tries again with a new one.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await bind(preferred)) !== undefined) return preferred;
  const port = await bind(0);
  if (port === undefined) throw new Error('No free TCP port on 127.0.0.1');
  return port;
}

function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : undefined));
    });
  });
}
