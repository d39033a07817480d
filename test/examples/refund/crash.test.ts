import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { seeded } from '../../support/seeded';
import { tempFolder } from '../../support/temp-folder';
import { type ShopProcess, startShop } from './support/shop';

const started: ShopProcess[] = [];
async function shopAt(data: string, port?: number): Promise<ShopProcess> {
  const shop = await startShop({ data, ...(port !== undefined && { port }) });
  started.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of started.splice(0)) await shop.kill();
});

const refundOf = (shop: ShopProcess, key: string) =>
  shop.ask('POST', '/refunds', { orderId: '1044', amount: 0.01 }, { key });

test('R4.4 SIGKILL in the middle of 64 writers loses nothing that was acknowledged, and a repeat adds nothing', async () => {
  const data = tempFolder('holdfast-shop-');
  const random = seeded(4);
  const acknowledged = new Map<string, unknown>();
  let shop = await shopAt(data);
  for (let round = 0; round < 5; round += 1) {
    const target = acknowledged.size + 20 + Math.floor(random() * 100);
    let killed: Promise<void> | undefined;
    const writer = async (name: string) => {
      for (let n = 0; killed === undefined; n += 1) {
        const key = `r${round}/${name}/${n}`;
        const answer = await refundOf(shop, key).catch(() => undefined);
        if (answer?.status === 201) acknowledged.set(key, answer.body['id']);
        if (acknowledged.size >= target) killed ??= shop.kill();
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, index) => writer(`w${index}`)));
    await killed;
    shop = await shopAt(data, shop.port);
  }

  const lines = shop.lines('create_refund');
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  for (const [key, id] of acknowledged) expect(await refundOf(shop, key)).toMatchObject({ status: 200, body: { id } });
  expect(shop.lines('create_refund')).toEqual(lines);
  const { body } = await shop.ask('GET', '/orders/1044');
  expect(body['refunded']).toBeCloseTo(lines.length / 100, 9);
}, 60_000);

test('half a line at the end was acknowledged to nobody and goes; the next line stands in its place', async () => {
  const data = tempFolder('holdfast-shop-');
  const first = await shopAt(data);
  await refundOf(first, 'whole');
  await refundOf(first, 'torn');
  await first.kill();
  truncateSync(first.journal, readFileSync(first.journal).length - 5);

  const second = await shopAt(data);
  expect(second.lines().map(({ key }) => key)).toEqual(['whole']);
  expect((await refundOf(second, 'torn')).status).toBe(201);
  expect(second.lines().map(({ key }) => key)).toEqual(['whole', 'torn']);
});

test.each([
  ['no JSON', 'what?\n'],
  ['a line out of order', '{"seq":99,"operation":"send_email","args":{}}\n'],
])('a journal with %s in it is not gone on with', async (_what, text) => {
  const data = tempFolder('holdfast-shop-');
  const first = await shopAt(data);
  await first.kill();
  appendFileSync(first.journal, text);
  await expect(startShop({ data })).rejects.toThrow(/journal\.jsonl:4 is no line of a shop's journal/);
  expect(readFileSync(first.journal, 'utf8').endsWith(text)).toBe(true);
});

test('it ends with whoever started it', async () => {
  const shop = await shopAt(tempFolder('holdfast-shop-'));
  const ended = new Promise((resolve) => shop.child.once('exit', resolve));
  shop.child.stdin?.end();
  expect(await ended).toBe(0);
});
