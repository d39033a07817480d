import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A system outside that is only read, and knows how many ask it at once: what runs beside what is seen there, by no clock. */
export interface ReadsServer {
  /** Without a path. */
  readonly url: string;
  /** Paths that were asked for, in the order in which they came. */
  readonly asked: readonly string[];
  /** The most requests that were under way at one moment. */
  readonly most: number;
  stop(): Promise<void>;
}

/** `holds`: whether a request waits for now, by its path and by how many are under way; looked at again as others come and go. */
export async function startReadsServer(
  holds: (path: string, underWay: number) => boolean = () => false,
): Promise<ReadsServer> {
  const asked: string[] = [];
  const underWay = new Map<ServerResponse, string>();
  let most = 0;
  const answer = () => {
    for (const [response, path] of [...underWay]) if (!holds(path, underWay.size)) response.end(`Read ${path}.`);
  };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    asked.push(path);
    underWay.set(response, path);
    most = Math.max(most, underWay.size);
    response.once('close', () => underWay.delete(response));
    answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    get most() {
      return most;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
