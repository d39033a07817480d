import { get } from 'node:http';
import Ajv from 'ajv';
import { createFileStore } from '../../src/artifacts/file-store';
import { configOfProcess } from '../../src/config';
import { insertMessage } from '../../src/ledger/inbox';
import { type GatewayWorld, gatewayWorld } from './support/gateway-world';
import type { Loose } from './support/read-frames';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval }
`;
let world: GatewayWorld;
let attemptId: string;
beforeAll(async () => {
  world = await gatewayWorld({ attempts: { pays: { 1: { calls: [transfer] }, 2: { text: 'It is paid.' } } } }, rules);
  ({ attemptId } = await world.cli.json(3, 'start', world.cli.task('pays', {}), '--wait'));
});
afterAll(() => world?.close());
const at = (rest = '') => `/v1/attempts/${attemptId}${rest}`;

test('nobody comes in without a token, or with one that is unknown, expired or revoked', async () => {
  const problem = { type: 'urn:holdfast:problem:unauthenticated', status: 401, next: expect.stringContaining('token') };
  for (const token of [null, 'hft_nothing', '']) {
    const answer = await world.get('/v1/session', { token });
    expect(answer).toMatchObject({
      status: 401,
      type: expect.stringContaining('application/problem+json'),
      body: problem,
    });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  }
  const token = await world.token({ principal: 'gone' });
  expect((await world.get('/v1/session', { token })).status).toBe(200);
  const [listed] = (await world.cli.json<{ id: string; principal: string }[]>(0, 'token', 'list')).filter(
    ({ principal }) => principal === 'gone',
  );
  await world.cli.json(0, 'token', 'revoke', listed?.id ?? '');
  expect((await world.get('/v1/session', { token })).status).toBe(401);
  await world.cli.attempts.pool.query(
    `insert into tokens (id, hash, tenant, principal, roles, made_by, expires_at)
     values ('old', sha256('hft_old'), 'default', 'ana', '{user}', 'test', clock_timestamp() - interval '1 s')`,
  );
  expect((await world.get('/v1/session', { token: 'hft_old' })).status).toBe(401);
});

test('a token that the command line made comes in as who it was made for', async () => {
  const { token } = await world.cli.json<{ token: string }>(
    0,
    ...['token', 'create', '--principal', 'ben', '--role', 'approver', '--role', 'auditor', '--expires', '12h'],
  );
  expect((await world.get('/v1/session', { token })).body).toMatchObject({
    tenant: 'default',
    principal: 'ben',
    roles: ['approver', 'auditor'],
    audience: 'auditor',
  });
});

test('list, show, effects and inbox are what the command line prints', async () => {
  expect((await world.get('/v1/attempts')).body).toEqual({ attempts: await world.cli.json(0, 'list'), next: null });
  expect((await world.get(at())).body).toEqual(await world.cli.json(0, 'show', attemptId));
  expect((await world.get(at('/effects'))).body).toEqual({ effects: await world.cli.json(0, 'effects', attemptId) });
  const { pending } = (await world.get('/v1/inbox')).body;
  expect(pending).toEqual(await world.cli.json(0, 'inbox'));
  expect(pending).toEqual([expect.objectContaining({ kind: 'approval', tool: 'wire_transfer' })]);
  expect((await world.get(`/v1/attempts/${encodeURIComponent(attemptId)}`)).body.attemptId).toBe(attemptId);
});

test('another tenant sees none of it, and is told the same as of what is not there', async () => {
  const token = await world.token({ tenant: 'other' });
  expect((await world.get('/v1/attempts', { token })).body.attempts).toEqual([]);
  expect((await world.get('/v1/inbox', { token })).body.pending).toEqual([]);
  for (const path of [at(), at('/effects'), at('/events')]) expect((await world.get(path, { token })).status).toBe(404);
  const there = (await world.get(at(), { token })).body.detail;
  const nowhere = (await world.get('/v1/attempts/nothing/1', { token })).body.detail;
  expect(there).toBe(nowhere.replace('nothing/1', attemptId));
});

test('R10.4 events are pages of what the roles see, and nobody is shown more by asking', async () => {
  const operator = (await world.get(at('/events?limit=500'))).body.events;
  const ofUser = await world.token({ roles: ['user'] });
  const user = (await world.get(at('/events?limit=500'), { token: ofUser })).body.events;
  const requested = (events: Loose[]) => events.find(({ event_type }) => event_type === 'approval_requested').payload;
  expect(requested(operator)).toHaveProperty('rule');
  expect(requested(user)).not.toHaveProperty('rule');
  expect((await world.get(at('/events?limit=500&audience=user'))).body.events).toEqual(user);
  expect((await world.get(at('/events?audience=auditor'), { token: ofUser })).status).toBe(403);
  const first = (await world.get(at('/events?limit=3'))).body;
  expect(first).toMatchObject({ events: operator.slice(0, 3), next: 3 });
  const rest = (await world.get(at(`/events?limit=500&after=${first.next}`))).body;
  expect(rest).toEqual({ events: operator.slice(3), next: null });
});

test('what is asked wrongly is refused with the place', async () => {
  const bad = await world.get('/v1/attempts?state=ASLEEP&limit=0');
  expect(bad).toMatchObject({
    status: 400,
    body: { errors: [{ at: 'query.state' }, { at: 'query.limit' }] },
  });
  expect((await world.get('/v1/attempts?cursor=nonsense')).status).toBe(400);
  expect((await world.get('/v1/nothing')).body).toMatchObject({ status: 404, type: 'urn:holdfast:problem:not_found' });
  expect(
    (await world.get(at('/events'), { headers: { accept: 'text/event-stream', 'last-event-id': 'x' } })).status,
  ).toBe(400);
});

test('lists are filtered, searched and paged, and each attempt is on one page', async () => {
  for (const name of ['one', 'two', 'three'])
    await world.cli.json(3, 'start', world.cli.task(`page-${name}`, { goal: `Look at ${name}_%.` }), '--wait');
  const ids = async (query: string) =>
    (await world.get(`/v1/attempts?${query}`)).body.attempts.map((one: { attemptId: string }) => one.attemptId);
  expect(await ids('text=page-t')).toEqual(['page-three/1', 'page-two/1']);
  expect(await ids(`text=${encodeURIComponent('TWO_%')}`)).toEqual(['page-two/1']);
  expect(await ids('state=WAITING_FOR_APPROVAL')).toEqual([attemptId]);
  expect(await ids('kind=research')).toEqual([]);
  const seen: string[] = [];
  for (let query = 'limit=1'; ; ) {
    const { attempts, next } = (await world.get(`/v1/attempts?${query}`)).body;
    seen.push(...attempts.map((one: { attemptId: string }) => one.attemptId));
    if (next === null) break;
    query = `limit=1&cursor=${encodeURIComponent(next)}`;
  }
  expect(seen).toEqual(await ids('limit=200'));
});

test('an artifact is read by its tenant alone, as text that no browser runs; of a sealed test by auditors alone', async () => {
  const { pool } = world.cli.attempts;
  const store = createFileStore(configOfProcess().objectStore);
  const hash = await store.put('default', Buffer.from('<script>alert(1)</script>'));
  expect((await world.get(`/v1/artifacts/${hash}`)).status).toBe(404);
  await pool.query(`insert into artifacts (tenant, hash, bytes, media_type) values ('default', $1, 25, 'text/html')`, [
    hash,
  ]);
  const answer = await world.get(`/v1/artifacts/${hash}`);
  expect(answer).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8', body: '<script>alert(1)</script>' });
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await world.get(`/v1/artifacts/${hash}`, { token: await world.token({ tenant: 'other' }) })).status).toBe(
    404,
  );
  const operator = await world.token({ roles: ['operator'] });
  expect((await world.get(`/v1/artifacts/${hash}`, { token: operator })).status).toBe(200);
  await pool.query(
    `insert into sealed_evidence (attempt, candidate, criterion, body)
     select key, 1, 'sealed', $2 from attempts where task || '/' || number = $1`,
    [attemptId, JSON.stringify({ artifact: { hash } })],
  );
  expect((await world.get(`/v1/artifacts/${hash}`, { token: operator })).status).toBe(404);
  expect((await world.get(`/v1/artifacts/${hash}`)).status).toBe(200);
  expect((await world.get('/v1/artifacts/..%2F..%2Fetc%2Fpasswd')).status).toBe(404);
});

test('R10.2 a stream gives what was, says when it is caught up, and goes on with what comes', async () => {
  const { pool } = world.cli.attempts;
  const { body } = await world.get(at('/events?limit=500'));
  const stop = new AbortController();
  const frames = world.stream(at('/events'), { signal: stop.signal, headers: { 'last-event-id': '2' } });
  const seen: Loose[] = [];
  for await (const frame of frames) {
    if (frame.event === 'event') seen.push(frame.data);
    if (frame.event === 'caught_up') {
      const { rows } = await pool.query<{ key: number }>(`select key from attempts where task || '/' || number = $1`, [
        attemptId,
      ]);
      const ref = { tenant: 'default', id: attemptId, key: rows[0]?.key ?? 0 };
      await insertMessage(pool, ref, { kind: 'say', id: 'test/word', body: { text: 'Well?' } });
      await world.cli.run('say', attemptId, 'And?');
    }
    if (frame.data.event_type === 'message_taken' || frame.data.event_type === 'message_rejected') stop.abort();
  }
  expect(seen.slice(0, body.events.length - 2)).toEqual(body.events.slice(2));
  const sequences = seen.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 3));
});

test('every answer is what the OpenAPI document says, and every schema that it names is there', async () => {
  const { body: document } = await world.get('/openapi.json', { token: null });
  expect(document.openapi).toBe('3.1.0');
  const { schemas } = document.components;
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(schemas).toHaveProperty(name ?? '');
  const ajv = new Ajv({ strict: false, allowUnionTypes: true });
  ajv.addSchema({ $id: 'api', components: document.components });
  const looked: string[] = [];
  for (const [path, { get: operation }] of Object.entries<Loose>(document.paths)) {
    const schema = operation?.responses['200'].content['application/json']?.schema.$ref;
    if (schema === undefined) continue;
    const { status, body } = await world.get(
      path.replace('{id}', encodeURIComponent(attemptId)).replace('{step}', '1'),
    );
    const fits = ajv.compile({ $ref: `api${schema}` });
    expect([path, status, fits(body), fits.errors]).toEqual([path, 200, true, null]);
    looked.push(path);
  }
  expect(looked).toEqual(expect.arrayContaining(['/v1/attempts', '/v1/attempts/{id}', '/v1/inbox', '/v1/session']));
});

test('figures for Prometheus are of the tenant, and for operators', async () => {
  const { body, type } = await world.get('/metrics');
  expect(type).toContain('text/plain');
  expect(body).toContain('holdfast_attempts{state="WAITING_FOR_APPROVAL",tenant="default"} 1');
  expect(body).toContain('holdfast_open_approvals{tenant="default"} 1');
  expect((await world.get('/metrics', { token: await world.token({ roles: ['auditor'] }) })).status).toBe(403);
  const { body: other } = await world.get('/metrics', { token: await world.token({ tenant: 'other' }) });
  expect(other).toContain('holdfast_open_approvals{tenant="other"} 0');
  const { body: cost } = await world.get('/v1/cost');
  expect(cost).toMatchObject({ tenant: 'default', days: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }] });
});

test('a page of another origin, and another name for this address, are sent away', async () => {
  expect((await world.get('/v1/session', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await world.get('/v1/session', { headers: { origin: 'null' } })).status).toBe(403);
  expect((await world.get('/v1/session', { headers: { origin: world.gateway.url } })).status).toBe(200);
  const status = await new Promise((resolve) =>
    get(`${world.gateway.url}/healthz`, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }),
  );
  expect(status).toBe(421);
});

test('health needs no token and says nothing else', async () => {
  expect(await world.get('/healthz', { token: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await world.get('/readyz', { token: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
});
