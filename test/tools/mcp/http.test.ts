import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../support/temp-folder';
import { endAll, hasty, httpServer, mcpWorld, shopTools } from './support/mcp-world';

jest.setTimeout(60_000);
afterEach(endAll);

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

async function shopOverHttp() {
  const folder = tempFolder('holdfast-mcp-');
  const server = await httpServer('http-server.cjs', [folder]);
  const configured = { url: server.url, headers: { Authorization: { env: 'TOKEN' } }, tools: shopTools };
  const world = await mcpWorld({ shop: configured }, { folder, env: { TOKEN: 'Bearer secret-of-the-shop' } });
  return { ...world, folder, server };
}

test('a server over HTTP: reads, writes with their key, headers with their secret', async () => {
  const world = await shopOverHttp();
  expect(await world.read('look', { what: 'a' })).toEqual({ ok: true, output: '{"what":"a"}' });
  expect(await world.send('refund', { orderId: '1', amount: 2 }, 'k1')).toMatchObject({
    kind: 'committed',
    downstreamId: '17',
  });
  expect(world.calls('refund')).toMatchObject([
    { args: { idempotencyKey: 'k1' }, meta: { 'holdfast/idempotencyKey': 'k1' } },
  ]);
  expect(world.heard()[0]).toEqual({ POST: 'Bearer secret-of-the-shop' });
  expect(world.log.join('\n')).not.toContain('secret-of-the-shop');
});

describe('R4.5 a write over HTTP is unknown whatever goes wrong, unless it cannot have been done', () => {
  test.each([
    ['die', 'The MCP server "shop" gave no answer: '],
    ['nonsense', 'The MCP server "shop" gave an answer that cannot be read'],
    ['huge', 'The MCP server "shop" gave an answer that is too long to be read.'],
  ])('%s', async (how, words) => {
    const world = await shopOverHttp();
    await expect(world.send('wire', { iban: 'DE1', how })).rejects.toThrow(words);
    expect(world.calls('wire')).toHaveLength(1);
    await until(async () => (await world.read('look', { what: 'again' })).ok);
  });
});

describe('E4 no HTTP status denies a write: something on the way back says no after the server has done the work', () => {
  test.each([301, 307, 308, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503])('HTTP %s', async (status) => {
    const world = await shopOverHttp();
    await expect(world.send('wire', { iban: 'DE1', how: String(status) })).rejects.toMatchObject({ sent: true });
    expect(world.calls('wire')).toHaveLength(1);
  });
});

test('E4 a redirect is not followed: nobody hears the call twice, and nobody else hears it or its headers', async () => {
  const folders = [tempFolder('holdfast-mcp-'), tempFolder('holdfast-mcp-')] as const;
  const [server, other] = [
    await httpServer('http-server.cjs', [folders[0]]),
    await httpServer('http-server.cjs', [folders[1]]),
  ];
  for (const elsewhere of [other.url, 'http://127.0.0.1:1/mcp', `${server.url}/again`]) {
    const headers = { 'X-Elsewhere': elsewhere, Authorization: { env: 'TOKEN' } };
    const folder = folders[0];
    const world = await mcpWorld(
      { shop: { url: server.url, headers, tools: shopTools } },
      { folder, env: { TOKEN: 'Bearer secret-of-the-shop' } },
    );
    const before = world.calls('wire').length;
    await expect(world.send('wire', { iban: 'DE1', how: '307' })).rejects.toThrow(elsewhere);
    expect(world.calls('wire')).toHaveLength(before + 1);
  }
  expect(existsSync(join(folders[1], 'log'))).toBe(false);
});

test('R4.5 a write over HTTP that is never answered is unknown', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const { url } = await httpServer('http-server.cjs', [folder]);
  const world = await mcpWorld({ shop: { url, tools: shopTools, ...hasty } }, { folder });
  await expect(world.send('hasty_wire', { iban: 'DE1', how: 'never' })).rejects.toThrow('did not answer in time.');
});

test.each([
  ['500', 'MCP_CALL_LOST', true],
  ['401', 'MCP_REFUSED', false],
  ['403', 'MCP_REFUSED', false],
  ['400', 'MCP_HTTP_ERROR', false],
  ['409', 'MCP_HTTP_ERROR', false],
  ['429', 'MCP_CALL_LOST', true],
  ['503', 'MCP_CALL_LOST', true],
  ['404', 'MCP_UNAVAILABLE', true],
])('R8.3 HTTP %s of a read is %s', async (as, code, retryable) => {
  const world = await shopOverHttp();
  expect(await world.read('fail', { as })).toMatchObject({ ok: false, error: { code, retryable } });
});

test('E4 a server that has started anew has not heard the call; with a session of its own it serves again', async () => {
  const world = await shopOverHttp();
  await world.server.end();
  expect(await world.send('refund', { orderId: '1', amount: 2 })).toMatchObject({
    kind: 'rejected',
    failure: { class: 'tool_transient', code: 'MCP_UNAVAILABLE' },
  });
  await httpServer('http-server.cjs', [world.folder, String(world.server.port)]);
  await until(async () => (await world.send('refund', { orderId: '1', amount: 2 })).kind === 'committed');
  expect(world.calls('refund')).toHaveLength(1);
});

test.each(['any', 'newest'])("a server of the protocol's own making, for clients of %s revision", async (revision) => {
  const { url } = await httpServer('sdk-server.mjs', [revision]);
  const world = await mcpWorld({ sdk: { url, tools: { add: { effect: 'idempotent' } } } });
  expect(await world.send('add', { a: 1, b: 2 }, 'k2')).toEqual({ kind: 'committed', output: '{"sum":3,"key":"k2"}' });
  expect(world.tool('add').validate({ a: '1', b: 2 })).toContain('"a" must be number');
});
