// An MCP server over streamable HTTP, with sessions. It prints its port, and behaves badly where a call asks it to.
const { createServer } = require('node:http');
const { answer, heard } = require('./behaviour.cjs');

const port = Number(process.argv[3] ?? 0);
let session;

const server = createServer(async (request, response) => {
  heard({ [request.method]: request.headers.authorization });
  if (request.method === 'GET') return response.writeHead(405).end();
  if (request.method === 'DELETE') return response.writeHead(200).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  if (message.method === 'initialize') session = `s${process.pid}`;
  else if (request.headers['mcp-session-id'] !== session) return response.writeHead(404).end('no such session');
  const { as, how } = message.params?.arguments ?? {};
  const status = Number(as ?? how);
  if (status > 0) {
    if (how) answer(message); // the work is done, and only then something on the way back says no
    return response.writeHead(status, { location: String(request.headers['x-elsewhere']) }).end('<html>sorry</html>');
  }
  const said = answer(message, () => void request.socket.destroy());
  if (request.socket.destroyed) return;
  if (message.id === undefined) return response.writeHead(202).end();
  if (said === undefined) return; // never
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session }).end(JSON.stringify(said));
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
