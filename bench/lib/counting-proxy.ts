import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';

export interface SeenRequest {
  /** `<task>/<n>/<step>`. */
  readonly step: string;
  /** When it arrived, ms since the epoch. */
  readonly atMs: number;
}
export interface CountingProxy {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

/** Stands before the scripted model and writes down what it is asked; it outlives every worker. */
export async function startCountingProxy(modelUrl: string): Promise<CountingProxy> {
  const target = new URL(modelUrl);
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push({ step: String(incoming.headers['x-step']), atMs: Date.now() });
    const { method, headers, url } = incoming;
    const passed = httpRequest({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy()); // whoever asked may have been killed
    incoming.on('error', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}${target.pathname}`,
    seen,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
