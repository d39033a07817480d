import { type ShopProcess, startShop } from './support/shop';

let shop: ShopProcess;
beforeAll(async () => {
  shop = await startShop();
});
afterEach(() => shop.ask('DELETE', '/faults'));
afterAll(() => shop.kill());

/** Longer than any answer takes; only its passing without one is looked at, so a slow machine does no harm. */
const silenceMs = 300;

let keys = 0;
const nextKey = () => `f${++keys}`;
const refund = (key: string, fault?: string) =>
  shop.ask('POST', '/refunds', { orderId: '1044', amount: 1 }, { key, ...(fault !== undefined && { fault }) });
/** What a client sees: a status, `dropped`, or `silent` while there is no answer. */
async function seen(answer: Promise<{ status: number }>): Promise<number | 'dropped' | 'silent'> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(resolve, silenceMs, 'silent');
  });
  const told = await Promise.race([
    answer.then(
      ({ status }) => status,
      (error: Error) => (error.message === 'fetch failed' ? 'dropped' : Promise.reject(error)),
    ),
    silence,
  ]);
  clearTimeout(timer);
  return told;
}
const committed = (key: string) => shop.lines().filter((line) => line.key === key).length;

test.each([
  ['commit_then_drop', 'dropped', 1],
  ['commit_then_500', 500, 1],
  ['commit_then_hang', 'silent', 1],
  ['slow_before_commit', 'silent', 0],
  ['drop_before_commit', 'dropped', 0],
  ['refuse', 422, 0],
] as const)('with %s the client sees %s, and %d operation is committed', async (fault, sees, count) => {
  const key = nextKey();
  const answer = refund(key, fault);
  expect(await seen(answer)).toBe(sees);
  expect(committed(key)).toBe(count);

  await shop.ask('POST', '/faults/release');
  if (sees === 'silent') expect((await answer).status).toBe(201);
  // Whatever became of it, the same key does it once.
  expect((await refund(key)).status).toBe(fault === 'drop_before_commit' || fault === 'refuse' ? 201 : 200);
  expect(committed(key)).toBe(1);
});

test('only a "no" says that nothing was committed', async () => {
  const refused = await refund(nextKey(), 'refuse');
  const vague = await refund(nextKey(), 'commit_then_500');
  expect(refused.body.error).toMatchObject({ committed: false });
  expect(vague.body.error).not.toHaveProperty('committed');
});

test('a slow request is committed although nobody waits for it still', async () => {
  const key = nextKey();
  const gone = new AbortController();
  const answer = fetch(`${shop.url}/refunds`, {
    method: 'POST',
    headers: { 'idempotency-key': key, 'x-shop-fault': 'slow_before_commit' },
    body: JSON.stringify({ orderId: '1044', amount: 1 }),
    signal: gone.signal,
  });
  await heldRequests(1);
  gone.abort();
  await expect(answer).rejects.toThrow('abort');
  expect(committed(key)).toBe(0);

  await shop.ask('POST', '/faults/release');
  await heldRequests(0);
  expect(committed(key)).toBe(1);
});

test('a fault with a time ends by itself', async () => {
  expect((await refund(nextKey(), 'slow_before_commit;ms=20')).status).toBe(201);
  expect((await refund(nextKey(), 'commit_then_hang;ms=20')).status).toBe(201);
});

test('an armed fault meets the operation and arguments that it names, so many times', async () => {
  const arm = { fault: 'commit_then_500', operation: 'send_email', where: { to: 'x' }, times: 2 };
  expect(await shop.ask('POST', '/faults', arm)).toEqual({ status: 200, body: arm });
  const mail = (to: string) => shop.ask('POST', '/mails', { to, subject: 's', text: 't' });

  expect((await refund(nextKey())).status).toBe(201);
  const statuses = [];
  for (const to of ['y', 'x', 'x', 'x']) statuses.push((await mail(to)).status);
  expect(statuses).toEqual([201, 500, 500, 201]);
  expect((await shop.ask('GET', '/faults')).body).toEqual({ armed: [], held: [] });
});

test('what is held is told of, with whether it is committed', async () => {
  const [before, after] = [nextKey(), nextKey()];
  const answers = [refund(before, 'slow_before_commit'), refund(after, 'commit_then_hang')];
  await heldRequests(2);
  const { body } = await shop.ask('GET', '/faults');
  const args = { orderId: '1044', amount: 1 };
  expect(body['held']).toEqual(
    expect.arrayContaining([
      { operation: 'create_refund', key: before, args, committed: false },
      { operation: 'create_refund', key: after, args, committed: true },
    ]),
  );
  await shop.ask('DELETE', '/faults');
  await Promise.all(answers);
});

test.each([
  ['a fault that nobody knows', { fault: 'explode' }],
  ['an operation that nobody knows', { fault: 'refuse', operation: 'toString' }],
  ['no times', { fault: 'refuse', times: 0 }],
  ['a time that is none', { fault: 'commit_then_hang', ms: 'soon' }],
])('%s is not armed', async (_what, fault) => {
  expect(await shop.ask('POST', '/faults', fault)).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_FAULT' } },
  });
  expect(await shop.ask('GET', '/faults')).toMatchObject({ body: { armed: [] } });
});

async function heldRequests(count: number): Promise<void> {
  for (;;) {
    const { body } = await shop.ask('GET', '/faults');
    if (Array.isArray(body['held']) && body['held'].length === count) return;
  }
}
