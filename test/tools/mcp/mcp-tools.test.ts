import { tempFolder } from '../../support/temp-folder';
import { endAll, hasty, type McpWorld, mcpWorld, shopTools, stdio } from './support/mcp-world';

jest.setTimeout(60_000);

let world: McpWorld;
beforeAll(async () => {
  const folder = tempFolder('holdfast-mcp-');
  const server = stdio(folder, 'chatty', { tools: shopTools, env: { SHOP_TOKEN: { env: 'TOKEN' } } });
  world = await mcpWorld(
    { shop: server, slow: { ...server, ...hasty } },
    { folder, env: { TOKEN: 'secret-of-the-shop', UNLISTED: 'x' } },
  );
});
afterAll(endAll);

test('R4.1 an MCP tool has the effect that configuration says, and is an unsafe write where nobody says any', () => {
  const effects = ['look', 'refund', 'wire', 'reverse'].map((name) => world.tool(name).effect);
  expect(effects).toEqual(['none', 'deduplicated', 'probed', 'unsafe']);
  expect(world.tool('big').untrusted).toBe(true);
  expect(world.tool('look').untrusted).toBeUndefined();
  expect(world.tool('reverse').quick).toBe(false);
});

test('a read gives the structured content as JSON, whatever else the server prints on its output', async () => {
  expect(await world.read('look', { what: 'a "b"\0' })).toEqual({ ok: true, output: '{"what":"a \\"b\\"\\u0000"}' });
});

test('R10.4 a server gets the variables that it is given and no others, and a secret stands in no line of the log', () => {
  expect(world.heard()[0]).toMatchObject({ env: { token: 'secret-of-the-shop' } });
  expect(world.heard()[0]).not.toHaveProperty('env.home');
  expect(world.log.join('\n')).not.toContain('secret-of-the-shop');
});

test('E1 the key travels in the argument that configuration names, hidden from the model, and beside the arguments', async () => {
  const refund = world.tool('refund');
  expect(Object.keys(Object(refund.schema['properties']))).toEqual(['orderId', 'amount']);
  expect(refund.validate({ orderId: '1', amount: 2, idempotencyKey: 'mine' })).toContain(
    'must not have "idempotencyKey"',
  );

  expect(await world.send('refund', { orderId: '1042', amount: 40 }, 'default/refund/1042/g1')).toEqual({
    kind: 'committed',
    output: '{"id":17,"amount":40}',
    downstreamId: '17',
  });
  expect(world.calls('refund')).toEqual([
    {
      call: 'refund',
      args: { orderId: '1042', amount: 40, idempotencyKey: 'default/refund/1042/g1' },
      meta: expect.objectContaining({ 'holdfast/idempotencyKey': 'default/refund/1042/g1' }),
    },
  ]);
});

test('E1 E7 business key and target come of the arguments, which must be there', () => {
  const refund = world.write('refund');
  expect(refund.businessKey?.({ orderId: '1042', amount: 1 } as never)).toBe('1042');
  expect(refund.target?.({ orderId: '1042', amount: 1 } as never)).toBe('order:1042');
  expect(refund.operationArguments).toEqual(['orderId', 'amount']);
  expect(refund.validate({ orderId: '', amount: 1 })).toBe(
    '"orderId" must be a text or a number: it names the operation',
  );
});

test('E9 the compensation is filled from arguments and result, and a number stays a number', () => {
  const { compensation } = world.write('refund');
  expect(compensation?.tool).toBe('reverse');
  const args = { orderId: '1042', amount: 40 } as never;
  expect(compensation?.args(args, { output: '{"id":17}' })).toEqual({ refundId: 17, amount: 40 });
  expect(compensation?.args(args, { output: 'cut', downstreamId: '17' })).toEqual({ refundId: '17', amount: 40 });
  expect(() => compensation?.args(args, { output: 'cut' })).toThrow('{result.id}');
});

describe('E6 what a probe answers is read from its status, or from error.committed', () => {
  test.each([
    [
      { status: 'committed', id: 'T1' },
      { kind: 'committed', output: '{"status":"committed","id":"T1"}', downstreamId: 'T1' },
    ],
    [{ status: 'not_committed_final' }, { kind: 'not_committed_final' }],
    [{ status: 'not_found' }, { kind: 'not_found' }],
    [{ error: { committed: false } }, { kind: 'not_found' }],
    [{ error: { committed: true } }, expect.objectContaining({ kind: 'committed' })],
    [{ status: 'settled' }, { kind: 'unknown' }],
    [{ status: 'unknown' }, { kind: 'unknown' }],
    [{}, { kind: 'unknown' }],
  ])('%j', async (answer, expected) => {
    const wire = world.tool('wire');
    if (wire.effect !== 'probed' || !('probe' in wire)) throw new Error('wire is probed');
    const args = { iban: 'DE1', how: JSON.stringify(answer) } as never;
    const context = { signal: new AbortController().signal } as never;
    expect(await wire.probe('default/wire/k/g1', args, context)).toEqual(expected);
    expect(world.calls('find').at(-1)).toMatchObject({ args: { reference: 'default/wire/k/g1' } });
  });
});

describe('R4.5 an error of a write leaves it unknown, unless it says itself that nothing was done', () => {
  test('error.committed: false is a refusal', async () => {
    expect(await world.send('wire', { iban: 'DE1', how: 'no' })).toEqual({
      kind: 'rejected',
      failure: { class: 'tool_business', code: 'TOO_MUCH' },
      error: expect.objectContaining({ code: 'TOO_MUCH', message: 'More than was paid.' }),
    });
  });
  test.each([
    ['perhaps', 'does not say whether it was done: The bank did not answer.'],
    ['protocol error', 'the database is locked'],
    ['nonsense', 'cannot be read'],
  ])('%s is thrown', async (how, words) => {
    await expect(world.send('wire', { iban: 'DE1', how })).rejects.toThrow(words);
  });
  test('no answer in time is thrown', async () => {
    await expect(world.send('hasty_wire', { iban: 'DE1', how: 'never' })).rejects.toThrow('did not answer in time');
  });
});

test.each([
  ['perhaps', { code: 'NO_ANSWER', message: 'The bank did not answer.' }],
  ['no', { code: 'TOO_MUCH', retryable: false }],
  ['protocol error', { code: 'MCP_ERROR', message: expect.stringContaining('the database is locked') }],
  [
    'nonsense',
    {
      code: 'MCP_NONSENSE',
      message: expect.stringContaining('The MCP server "shop" gave an answer that cannot be read'),
    },
  ],
])('R8.3 a read that answers %s is an error that the model can use', async (as, error) => {
  expect(await world.read('fail', { as })).toMatchObject({ ok: false, error });
});

test('R8.3 a read that is never answered failed for now', async () => {
  expect(await world.read('hasty_fail', { as: 'never' })).toMatchObject({
    ok: false,
    error: { code: 'MCP_TIMEOUT', message: 'The MCP server "slow" did not answer in time.', retryable: true },
  });
});

test('R11.1 a cancel tells the server that nobody waits any more', async () => {
  const cancel = new AbortController();
  const reading = world.read('fail', { as: 'never' }, cancel.signal);
  const cancelled = () => world.heard().filter((line) => 'cancelled' in line).length;
  const before = cancelled();
  setTimeout(() => cancel.abort(new Error('cancelled by ana')), 100);
  await expect(reading).rejects.toThrow('cancelled by ana');
  while (cancelled() === before) await new Promise((resolve) => setTimeout(resolve, 10));
});

describe('R10.3 a result of megabytes', () => {
  test('of a read is refused by its size', async () => {
    expect(await world.read('big', { length: 3_000_000 })).toMatchObject({
      ok: false,
      error: { code: 'MCP_RESULT_TOO_LARGE', message: expect.stringContaining('3000000 bytes; at most 1048576') },
    });
    expect(await world.read('big', { length: 1_000_000 })).toMatchObject({ ok: true });
  });
  test('of a write is cut, and the write is committed with its id', async () => {
    const sent = await world.send('wire', { iban: 'DE1', how: 'long' });
    expect(sent).toMatchObject({ kind: 'committed', downstreamId: 'long-1' });
    expect(sent.kind === 'committed' && sent.output.slice(-80)).toContain('bytes was not kept; the write was done]');
  });
});

test.each([
  ['conflict', 'state_conflict'],
  ['credentials', 'unrecoverable'],
  ['busy', 'tool_transient'],
  ['argument', 'tool_argument'],
  ['mood', 'tool_business'],
])('R8.2 a server says what its no was about: %s', async (how, kind) => {
  const folder = tempFolder('holdfast-mcp-');
  const world = await mcpWorld({ shop: stdio(folder, 'well', { tools: shopTools }) }, { folder });
  const failure = { class: kind, code: 'SAID_NO', retryAfterMs: 1_500 };
  expect(await world.read('fail', { as: how })).toMatchObject({ ok: false, failure });
  expect(await world.send('wire', { iban: 'DE1', how })).toMatchObject({ kind: 'rejected', failure });
});

test('R7.3 configuration says how often a tool may be polled in a row', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const tools = { ...shopTools, look: { effect: 'none', polling: 50 } };
  const world = await mcpWorld({ shop: stdio(folder, 'well', { tools }) }, { folder });
  expect(world.tool('look')).toMatchObject({ polling: { limit: 50 } });
  const wrong = { ...shopTools, look: { effect: 'none', polling: 1_000 } };
  await expect(mcpWorld({ shop: stdio(folder, 'well', { tools: wrong }) }, { folder })).rejects.toThrow(/polling/);
});

test('R8.6, R7.1 configuration says what a read looks at, and which arguments change nothing of what is asked', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const look = { effect: 'none', target: 'order:{what}', incidental: ['what'] };
  const world = await mcpWorld({ shop: stdio(folder, 'well', { tools: { ...shopTools, look } }) }, { folder });
  const tool = world.tool('look');
  expect(tool).toMatchObject({ incidental: ['what'] });
  if (tool?.effect !== 'none' || !tool.target) throw new Error('No read with a target.');
  expect(tool.target({ what: '1042' } as never)).toBe('order:1042');
  expect(() => tool.target?.({} as never)).toThrow();
  const wrong = { ...shopTools, look: { effect: 'none', target: 'order:{nothing}' } };
  await expect(mcpWorld({ shop: stdio(folder, 'well', { tools: wrong }) }, { folder })).rejects.toThrow(
    /look\.target: there is no argument "nothing"/,
  );
});

test('R3.3 what a read is the content of is said by its arguments, and a write has no content', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const tools = (change: object) => ({ shop: stdio(folder, 'well', { tools: { ...shopTools, ...change } }) });
  const tool = (await mcpWorld(tools({ look: { effect: 'none', source: '{what}' } }), { folder })).tool('look');
  if (tool?.effect !== 'none' || !tool.source) throw new Error('No read with a source.');
  expect(tool.source({ what: 'https://example.com/a' } as never)).toBe('https://example.com/a');
  const unknown = { look: { effect: 'none', source: '{nothing}' } };
  await expect(mcpWorld(tools(unknown), { folder })).rejects.toThrow(/look\.source: there is no argument "nothing"/);
  const write = { wire: { ...shopTools.wire, source: '{iban}' } };
  await expect(mcpWorld(tools(write), { folder })).rejects.toThrow(/only a read has it/);
});

test('R9.3 a read of protected data is said to be one in configuration, and a write cannot be', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const tools = { ...shopTools, look: { effect: 'none', protected: true } };
  const world = await mcpWorld({ shop: stdio(folder, 'well', { tools }) }, { folder });
  expect(world.tool('look')).toMatchObject({ effect: 'none', protected: true });
  const wrong = { ...shopTools, wire: { ...shopTools.wire, protected: true } };
  await expect(mcpWorld({ shop: stdio(folder, 'well', { tools: wrong }) }, { folder })).rejects.toThrow(
    /only a read has it/,
  );
});
