import { request } from 'node:http';
import { seeded } from '../support/seeded';
import { type GatewayWorld, gatewayWorld } from './support/gateway-world';
import { fuzzer } from './support/hostile-requests';

/** `npm run fuzz` says how long and by which seed; here it is a short one of the same. */
const seconds = Number(process.env['HOLDFAST_FUZZ_SECONDS'] ?? 5);
const seed = Number(process.env['HOLDFAST_FUZZ_SEED'] ?? 1);
/** Beside the time that it is asked for: servers that start, and requests that wait for a worker. */
const besideMs = 120_000;
/** What only the other tenant may read. */
const marker = 'a-word-of-theirs-alone';

let world: GatewayWorld;
beforeAll(async () => {
  world = await gatewayWorld({ steps: { 1: { text: 'Well.' }, 2: { text: 'Well.' } } }, 'rules: []\n', 0, 1_000_000);
});
afterAll(() => world?.close());

test(
  'R10.4 no request, however hostile, is answered 5xx or with a byte of another tenant',
  async () => {
    const random = seeded(seed);
    const tenants = ['default', 'other'] as const;
    const ids: Record<string, string[]> = { default: [], other: [] };
    for (const tenant of tenants) {
      const token = await world.token({ tenant });
      const goal = tenant === 'other' ? `Keep ${marker} to yourself.` : 'Answer.';
      for (const name of ['one', 'two']) {
        const task = { task: `${tenant}-${name}`, kind: 'dialog', goal, model: 'scripted' };
        ids[tenant]?.push((await world.post('/v1/attempts', { task }, { token })).body.attemptId);
      }
    }
    const mine = await world.token();
    const tokens = [
      mine,
      mine,
      mine,
      await world.token({ roles: ['user'] }),
      await world.token({ roles: ['auditor'] }),
      'hft_x',
      '',
    ];
    const { body: document } = await world.get('/openapi.json');
    const next = fuzzer(document, random, [...(ids['default'] ?? []), ...(ids['other'] ?? [])]);
    const counts: Record<string, number> = {};
    for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
      const asked = { ...next(), token: tokens[Math.floor(random() * tokens.length)] ?? '' };
      const { status, text } = await send(asked);
      counts[status] = (counts[status] ?? 0) + 1;
      const shown = JSON.stringify({ seed, ...asked, token: undefined, status, text: text.slice(0, 500) });
      if (status >= 500 && status !== 503) throw new Error(`answered ${status}: ${shown}`);
      if (text.includes(marker)) throw new Error(`a byte of another tenant: ${shown}`);
    }
    expect(await world.get('/healthz')).toMatchObject({ status: 200 });
    // One that is always refused tries nothing.
    expect(counts['200']).toBeGreaterThan(0);
    expect(counts['400']).toBeGreaterThan(0);
    expect(counts['404']).toBeGreaterThan(0);
    if (process.env['HOLDFAST_FUZZ_SECONDS'])
      process.stdout.write(`answers by status, seed ${seed}: ${JSON.stringify(counts)}\n`);
  },
  seconds * 1_000 + besideMs,
);

interface Sent {
  readonly method: string;
  /** As it stands on the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly token: string;
}

/** Without what `fetch` would set right. A stream is left after its first bytes. */
function send({ method, path, headers, body, token }: Sent): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(world.gateway.url);
  return new Promise((resolve, reject) => {
    const sending = request(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        let text = '';
        const done = () => resolve({ status: response.statusCode ?? 0, text });
        response.on('data', (chunk) => {
          text += chunk;
          if (!response.headers['content-type']?.includes('event-stream') || !text.includes('caught_up')) return;
          done();
          sending.destroy();
        });
        response.on('end', done);
        response.on('error', done);
      },
    );
    // A request that the server cuts off has been refused.
    sending.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT'].includes(error.code ?? '')
        ? resolve({ status: 0, text: '' })
        : reject(error),
    );
    sending.end(body);
  });
}
