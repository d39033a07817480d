import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** The client closed the connection before the answer was whole. */
  closedEarly: boolean;
}
export interface WireServer {
  /** Without a path. */
  readonly url: string;
  readonly requests: readonly WireRequest[];
  stop(): Promise<void>;
}

/** A real HTTP server on a free port whose every answer the test writes, to the byte. */
export async function startWireServer(
  answer: (response: ServerResponse, request: WireRequest) => void,
): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((incoming, response) => {
    void json(incoming).then((body) => {
      const request: WireRequest = { path: incoming.url ?? '', headers: incoming.headers, body, closedEarly: false };
      requests.push(request);
      response.once('close', () => {
        request.closedEarly = !response.writableFinished;
      });
      answer(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Server-sent events; one that has a `type` is also named by it, as Anthropic and the responses wire do. */
export function sendEvents(response: ServerResponse, events: readonly object[], end = true): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events)
    response.write(`${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  if (end) response.end();
}
