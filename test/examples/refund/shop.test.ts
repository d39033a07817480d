import { type ShopProcess, startShop } from './support/shop';

let shop: ShopProcess;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.kill());

let orders = 0;
/** An order of this test alone. */
async function order(paid = 100): Promise<string> {
  orders += 1;
  const orderId = `t${orders}`;
  const { status } = await shop.ask('PUT', `/orders/${orderId}`, { customer: 'C', email: 'c@shop.invalid', paid });
  expect(status).toBe(200);
  return orderId;
}
const refund = (orderId: string, amount: unknown, key?: string) =>
  shop.ask('POST', '/refunds', { orderId, amount }, { ...(key !== undefined && { key }) });
const linesOf = (orderId: string) => shop.lines().filter(({ args }) => args['orderId'] === orderId);

test('R4.4 64 posts of one key at once are one refund, and all are told of it', async () => {
  const orderId = await order();
  const answers = await Promise.all(Array.from({ length: 64 }, () => refund(orderId, 40, `k/${orderId}/g1`)));

  const [line, ...others] = linesOf(orderId);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ operation: 'create_refund', key: `k/${orderId}/g1`, args: { orderId, amount: 40 } });
  const told = { id: `refund-${line?.seq}`, orderId, amount: 40, status: 'settled' };
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => told));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('R4.3 64 posts of one key with two amounts are one refund; the other amount is refused', async () => {
  const orderId = await order();
  const amounts = Array.from({ length: 64 }, (_, index) => 10 + (index % 2));
  const answers = await Promise.all(amounts.map((amount) => refund(orderId, amount, `two/${orderId}`)));

  const [line, ...others] = linesOf(orderId);
  expect(others).toEqual([]);
  for (const [index, { status, body }] of answers.entries()) {
    if (amounts[index] === line?.args['amount']) expect(body['id']).toBe(`refund-${line?.seq}`);
    else
      expect({ status, ...body.error }).toMatchObject({
        status: 409,
        code: 'KEY_REUSED',
        committed: false,
        first: line?.args,
      });
  }
});

test('an order cannot be refunded beyond what was paid, by many small refunds at once neither', async () => {
  const orderId = await order(1.1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refund(orderId, 0.1, `${orderId}-${index}`)),
  );

  expect(linesOf(orderId)).toHaveLength(11);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(9);
  for (const { status, body } of refused)
    expect({ status, ...body.error }).toMatchObject({ status: 422, code: 'MORE_THAN_PAID', committed: false });
  expect((await shop.ask('GET', `/orders/${orderId}`)).body).toMatchObject({ paid: 1.1, refunded: 1.1 });
});

test('a key that was refused is free: a corrected amount goes through under it', async () => {
  const orderId = await order(50);
  expect((await refund(orderId, 60, `again/${orderId}`)).status).toBe(422);
  expect((await refund(orderId, 50, `again/${orderId}`)).status).toBe(201);
});

test.each([
  ['no key', { amount: 1 }, undefined, 'KEY_NEEDED'],
  ['no amount', {}, 'b1', 'BAD_ARGUMENTS'],
  ['a third of a cent', { amount: 0.003 }, 'b2', 'BAD_ARGUMENTS'],
  ['less than nothing', { amount: -1 }, 'b3', 'BAD_ARGUMENTS'],
  ['an amount in words', { amount: '5' }, 'b4', 'BAD_ARGUMENTS'],
  ['an argument that nobody knows', { amount: 1, amout: 2 }, 'b5', 'BAD_ARGUMENTS'],
  ['a name that every object has', { amount: 1, constructor: 'x' }, 'b6', 'BAD_ARGUMENTS'],
])('a refund with %s is refused', async (_what, body, key, code) => {
  const orderId = await order();
  const answer = await shop.ask('POST', '/refunds', { orderId, ...body }, { ...(key !== undefined && { key }) });
  expect({ status: answer.status, ...answer.body.error }).toMatchObject({ status: 400, code, committed: false });
  expect(linesOf(orderId)).toEqual([]);
});

test('an order, a refund, a route or a body that is none is refused', async () => {
  const refused = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await shop.ask(method, path, body, { key: 'none' });
    return `${status} ${answer.error?.['code']}`;
  };
  expect(await refused('POST', '/refunds', { orderId: 'nope', amount: 1 })).toBe('404 NO_SUCH_ORDER');
  expect(await refused('GET', '/refunds/refund-0')).toBe('404 NO_SUCH_REFUND');
  expect(await refused('GET', '/nothing')).toBe('404 NO_SUCH_ROUTE');
  expect(await refused('POST', '/mails', [])).toBe('400 BAD_JSON');
  expect(await refused('POST', '/mails', { to: 'x'.repeat(70_000) })).toBe('413 TOO_LARGE');
});

test('E6 a key is looked up by its name: not found is not final, void is, and a used one tells what it did', async () => {
  const orderId = await order();
  const key = `default/create_refund/${orderId}/g1`;
  const path = `/keys/${encodeURIComponent(key)}`;

  expect(await shop.ask('GET', path)).toMatchObject({ status: 404, body: { error: { final: false } } });
  expect((await shop.ask('POST', `${path}/void`)).body).toEqual({ key, status: 'void', final: true });
  expect((await shop.ask('GET', path)).body).toEqual({ key, status: 'void', final: true });
  expect(await refund(orderId, 5, key)).toMatchObject({
    status: 410,
    body: { error: { code: 'KEY_VOID', committed: false } },
  });

  const { body } = await refund(orderId, 5, `${key}-used`);
  const used = `${path}-used`;
  expect((await shop.ask('GET', used)).body).toMatchObject({
    status: 'committed',
    final: true,
    operation: 'create_refund',
    result: body,
  });
  expect(await shop.ask('POST', `${used}/void`)).toMatchObject({ status: 409, body: { error: { code: 'KEY_USED' } } });
  expect(linesOf(orderId)).toHaveLength(1);
});

test('E6 a void key stops a request that is already on its way', async () => {
  const orderId = await order();
  const late = shop.ask('POST', '/refunds', { orderId, amount: 5 }, { key: 'late', fault: 'slow_before_commit' });
  await held(1);
  expect((await shop.ask('POST', '/keys/late/void')).status).toBe(201);
  await shop.ask('POST', '/faults/release');

  expect((await late).status).toBe(410);
  expect(linesOf(orderId)).toEqual([]);
});

test('E9 a refund is taken back once under one key, and never twice', async () => {
  const orderId = await order();
  const { body } = await refund(orderId, 100, `back/${orderId}`);
  const reverse = (key: string) => shop.ask('POST', `/refunds/${body['id']}/reversal`, undefined, { key });

  const first = await reverse('compensate/1');
  expect(first).toMatchObject({ status: 201, body: { id: body['id'], status: 'reversed' } });
  expect(await reverse('compensate/1')).toEqual({ status: 200, body: first.body });
  expect(await reverse('compensate/2')).toMatchObject({
    status: 422,
    body: { error: { code: 'ALREADY_REVERSED', committed: false } },
  });
  expect((await shop.ask('GET', `/refunds?orderId=${orderId}`)).body).toMatchObject({ status: 'reversed' });
  expect((await shop.ask('GET', `/orders/${orderId}`)).body).toMatchObject({ refunded: 0 });
});

test('a mail is sent each time, whatever key comes with it', async () => {
  const mail = { to: 'a@shop.invalid', subject: 'Hello', text: 'Again' };
  const answers = [
    await shop.ask('POST', '/mails', mail, { key: 'm' }),
    await shop.ask('POST', '/mails', mail, { key: 'm' }),
  ];

  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(2);
  expect(shop.lines('send_email').map(({ key, args }) => ({ key, args }))).toEqual([
    { key: 'm', args: mail },
    { key: 'm', args: mail },
  ]);
  expect((await shop.ask('GET', '/keys/m')).status).toBe(404);
});

test('a transfer is made each time and can be found by its reference; a void one is final', async () => {
  const transfer = { iban: 'DE00', amount: 9.99, reference: 'default/wire/1' };
  const find = async (reference: string) =>
    (await shop.ask('GET', `/transfers?reference=${encodeURIComponent(reference)}`)).body;

  expect(await find('default/wire/1')).toMatchObject({ status: 'not_found' });
  await shop.ask('POST', '/transfers', transfer);
  await shop.ask('POST', '/transfers', transfer);
  expect(await find('default/wire/1')).toMatchObject({ status: 'committed', amount: 9.99, count: 2 });
  expect(shop.lines('wire_transfer')).toHaveLength(2);

  await shop.ask('POST', `/keys/${encodeURIComponent('default/wire/2')}/void`);
  expect(await find('default/wire/2')).toMatchObject({ status: 'not_committed_final' });
  expect((await shop.ask('POST', '/transfers', { ...transfer, reference: 'default/wire/2' })).status).toBe(410);
});

test('a note is what was put last; putting the same again does nothing', async () => {
  const orderId = await order();
  for (const note of ['one', 'one', 'two', 'two']) await shop.ask('PUT', `/orders/${orderId}/note`, { note });

  expect(linesOf(orderId).map(({ args }) => args['note'])).toEqual(['one', 'two']);
  expect((await shop.ask('GET', `/orders/${orderId}`)).body).toMatchObject({ note: 'two' });
});

test('the log over HTTP is the journal', async () => {
  const { body } = await shop.ask('GET', '/log');
  const lines = Array.isArray(body['lines']) ? body['lines'] : [];
  expect(lines.filter(({ operation }) => operation !== 'open_order')).toEqual(shop.lines());
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect((await shop.ask('GET', `/log?after=${lines.length - 1}`)).body).toEqual({ lines: lines.slice(-1) });
});

/** Waits until so many requests are held by a fault. */
async function held(count: number): Promise<void> {
  for (;;) {
    const { body } = await shop.ask('GET', '/faults');
    if (Array.isArray(body['held']) && body['held'].length === count) return;
  }
}
