import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ShopProcess, startShop } from './support/shop';

const program = join(__dirname, '../../../examples/refund/shop-server.mjs');

let shop: ShopProcess;
let client: Client;
beforeAll(async () => {
  shop = await startShop();
  client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', SHOP_URL: shop.url };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
});
afterAll(async () => {
  await client.close();
  await shop.kill();
});

const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

test('each tool takes exactly the arguments that it names, and reads say that they are reads', async () => {
  const { tools } = await client.listTools();
  const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);

  expect(reads).toEqual(['lookup_order', 'get_message', 'get_refund', 'find_transfer']);
  expect(tools.filter(({ name }) => !reads.includes(name)).map(({ name }) => name)).toEqual([
    'create_refund',
    'reverse_refund',
    'wire_transfer',
    'send_email',
    'set_note',
  ]);
  for (const { inputSchema } of tools)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
});

test('every tool does at the shop what it is named after', async () => {
  const refund = await call('create_refund', { orderId: '1042', amount: 20, idempotencyKey: 'a/b/g1' });
  const refundId = String(Object(refund.structuredContent).id);
  expect(refund.structuredContent).toEqual({ id: refundId, orderId: '1042', amount: 20, status: 'settled' });
  expect((await call('get_refund', { orderId: '1042' })).structuredContent).toEqual(refund.structuredContent);
  expect((await call('lookup_order', { orderId: '1042' })).structuredContent).toMatchObject({
    paid: 120,
    refunded: 20,
  });
  expect((await call('get_message', { orderId: '1043' })).structuredContent).toMatchObject({
    message: expect.stringContaining('assistant'),
  });
  await call('reverse_refund', { refundId, idempotencyKey: 'compensate/a/b/g1' });
  await call('wire_transfer', { iban: 'DE00', amount: 1, reference: 'c/d/g1' });
  expect((await call('find_transfer', { reference: 'c/d/g1' })).structuredContent).toMatchObject({
    status: 'committed',
  });
  await call('set_note', { orderId: '1042', note: 'called' });
  await call('send_email', { to: 'a@shop.invalid', subject: 's', text: 't' });

  expect(shop.lines().map(({ operation, key }) => [operation, key])).toEqual([
    ['create_refund', 'a/b/g1'],
    ['reverse_refund', 'compensate/a/b/g1'],
    ['wire_transfer', undefined],
    ['set_note', undefined],
    ['send_email', undefined],
  ]);
});

test.each([
  ['refuse', { code: 'REFUSED', committed: false }],
  ['commit_then_500', { code: 'INTERNAL', committed: undefined }],
  ['commit_then_drop', { code: 'NO_ANSWER', committed: undefined }],
  ['drop_before_commit', { code: 'NO_ANSWER', committed: undefined }],
])('E4 after %s the result claims no more than is known', async (fault, { code, committed }) => {
  await shop.ask('POST', '/faults', { fault, operation: 'create_refund' });
  const { isError, structuredContent } = await call('create_refund', {
    orderId: '1044',
    amount: 1,
    idempotencyKey: fault,
  });

  expect(isError).toBe(true);
  const { error } = Object(structuredContent);
  expect({ code: error.code, committed: error.committed }).toEqual({ code, committed });
});

test('a shop that is not there has done nothing, and that is said', async () => {
  const closed = await startShop();
  await closed.kill();
  const away = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', SHOP_URL: closed.url };
  await away.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
  try {
    const answer = await away.callTool({ name: 'set_note', arguments: { orderId: '1042', note: 'x' } });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'SHOP_AWAY', committed: false } },
    });
  } finally {
    await away.close();
  }
});
