// An MCP server made with the protocol's own server package: over HTTP, for clients of the newest revision or of any.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'sdk', version: '1.0.0' });
    server.registerTool(
      'add',
      { description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      async ({ a, b }, { mcpReq }) => {
        const structuredContent = { sum: a + b, key: mcpReq._meta?.['holdfast/idempotencyKey'] ?? 'none' };
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
      },
    );
    return server;
  },
  { legacy: process.argv[2] === 'newest' ? 'reject' : 'stateless' },
);

const server = createServer(async (request, response) => {
  const hasBody = request.method === 'POST';
  const answer = await handler.fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method,
      headers: request.headers,
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) Readable.fromWeb(answer.body).pipe(response);
  else response.end();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
