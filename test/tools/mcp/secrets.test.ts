import { resolveSettings } from '../../../src/tools/mcp/settings';
import { WholeLines } from '../../../src/tools/mcp/stdio/whole-lines';
import { tempFolder } from '../../support/temp-folder';
import { endAll, mcpWorld, shopTools, stdio } from './support/mcp-world';

jest.setTimeout(60_000);
afterEach(endAll);

const token = 'sk-secret-0123456789';
const redactionOf = (...secrets: string[]) =>
  resolveSettings(Object.fromEntries(secrets.map((secret, n) => [`S${n}`, { env: `S${n}`, read: () => secret }])))
    .redaction;

async function shopWithToken() {
  const folder = tempFolder('holdfast-mcp-');
  const server = stdio(folder, 'well', { tools: shopTools, env: { SHOP_TOKEN: { env: 'TOKEN' } } });
  return mcpWorld({ shop: server }, { folder, env: { TOKEN: token } });
}

test('R10.4 a secret that a server repeats stands neither in its answer nor in the log, in pieces neither', async () => {
  const world = await shopWithToken();
  const said = () => world.log.filter((line) => line.includes('an MCP server says'));
  expect(await world.read('fail', { as: 'secret' })).toMatchObject({
    ok: false,
    error: { code: 'REFUSED', message: 'Authorization: Bearer (secret)' },
  });
  while (said().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await world.started.close();

  expect(said()).toEqual([
    expect.stringContaining('"line":"refused with (secret) at last"'),
    expect.stringContaining('"line":"(secret)"'), // it ended in the middle of one
  ]);
  expect(world.log.join('\n')).not.toContain(token.slice(0, 8));
});

test('R10.4 nor does it in what is said of a write', async () => {
  const world = await shopWithToken();
  await expect(world.send('wire', { iban: 'DE1', how: 'secret' })).rejects.toThrow('Authorization: Bearer (secret)');
});

test('R10.4 every text and every name of an answer is without them, and nothing else of it is changed', () => {
  const answer = { content: [{ type: 'text', text: `a ${token} b` }], n: 1.5, none: null, [token]: [[token], true] };
  expect(redactionOf(token).json(answer)).toEqual({
    content: [{ type: 'text', text: 'a (secret) b' }],
    n: 1.5,
    none: null,
    '(secret)': [['(secret)'], true],
  });
});

test.each([
  ['the token of an Authorization', [`Bearer ${token}`], `with ${token}`, 'with (secret)'],
  ['one in another', [token, `${token}-and-more`], `with ${token}-and-more`, 'with (secret)'],
  ['a line of a key', ['-----BEGIN-----\nabcdefgh\n'], 'with abcdefgh', 'with (secret)'],
  ['inside JSON', ['se"cr\\et'], JSON.stringify({ error: 'se"cr\\et' }), '{"error":"(secret)"}'],
  ['too short to be told from words', ['on'], 'put on', 'put on'],
])('R10.4 %s', (_, secrets, text, expected) => {
  expect(redactionOf(...secrets).text(text)).toBe(expected);
});

test('R10.4 lines are whole whatever pieces they come in, and an endless one is cut where no secret shows', () => {
  const { text, cutText } = redactionOf(token);
  const whole = (pieces: readonly string[]) => {
    const lines: string[] = [];
    const reader = new WholeLines((line, isWhole) => lines.push(isWhole ? text(line) : cutText(line)));
    for (const piece of pieces) reader.add(piece);
    reader.end();
    return lines;
  };
  const said = `a ${token}\n\nb ${token} c\nlast`;
  expect(whole([said])).toEqual(['a (secret)', 'b (secret) c', 'last']);
  expect(whole([...said])).toEqual(whole([said]));

  const endless = 'x'.repeat(16 * 1024 - 10) + token;
  for (const pieces of [
    [endless, 'more', '\nnext'],
    [...endless, '\n', 'next'],
  ]) {
    const [cut = '', next] = whole(pieces);
    expect(cut.endsWith('x(secret)')).toBe(true);
    expect(next).toBe('next');
  }
});
