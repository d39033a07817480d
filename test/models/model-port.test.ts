import { once } from 'node:events';
import { createServer } from 'node:net';
import { createModels } from '../../src/models/model-port';
import { answered, callOptions, failed, modelConfig, toolRequest } from '../support/model-fixtures';
import { sendEvents, sendJson, startWireServer } from '../support/wire-server';

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  model: 'served-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const whole = (usage?: object) => [
  chunk({ role: 'assistant', content: 'Two ' }),
  chunk({ content: 'parts.' }),
  chunk({
    tool_calls: [{ index: 0, id: 'call_9', type: 'function', function: { name: 'read_file', arguments: '{"path":' } }],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"b.js"}' } }] }),
  chunk({}, 'tool_calls'),
  ...(usage ? [{ id: 'c1', choices: [], usage }] : []),
];

test('an answer comes whole: text, raw arguments, finish, who served it, and its cost with cache reads', async () => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 11, prompt_tokens_details: { cached_tokens: 400 } };
  const server = await startWireServer((response) => sendEvents(response, whole(usage)));
  const deltas: string[] = [];
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => 'sk-test-key' }) });

  const outcome = await models.call('m', toolRequest, callOptions({ onText: (delta) => deltas.push(delta) }));
  await server.stop();

  expect(outcome).toEqual({
    kind: 'answered',
    text: 'Two parts.',
    calls: [{ callId: 'call_9', tool: 'read_file', rawArgs: '{"path":"b.js"}' }],
    finish: 'tool_calls',
    // 600 plain at 1, 400 cached at 0.5, 11 out at 4 micro-dollars each
    usage: { inputTokens: 1_000, outputTokens: 11, cacheReadTokens: 400, costMicroUsd: 600 + 200 + 44 },
    servedBy: 'served-model',
    price: { input: 1_000_000, output: 4_000_000, cacheRead: 500_000, cacheWrite: 1_000_000, known: 1 },
  });
  expect(deltas).toEqual(['Two ', 'parts.']);
});

test('R1.3 the server sees the idempotency key, the filled headers and one whole request', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole()));
  const headers = { 'X-Step': '{attempt}/{step}', 'X-Tenant': '{tenant}' };
  const models = createModels({
    m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => 'sk-test-key', headers }),
  });

  await models.call('m', toolRequest, callOptions());
  await server.stop();

  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: {
      'idempotency-key': 'default/repair/1/s1.t1',
      'x-step': 'repair/1/1',
      'x-tenant': 'default',
      authorization: 'Bearer sk-test-key',
    },
    body: {
      model: 'test-model',
      stream: true,
      max_tokens: 1_000,
      messages: [
        { role: 'system', content: 'You repair code.' },
        { role: 'user', content: 'Fix the bug.' },
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path": "a.js"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'exports.add = (a, b) => a - b;' },
      ],
      tools: [{ type: 'function', function: { name: 'read_file', parameters: toolRequest.tools[0]?.schema } }],
    },
  });
});

test('R6.2 an answer without usage is charged by estimate', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole()));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });

  const { usage } = answered(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(usage.inputTokens).toBe(models.estimate('m', toolRequest).inputTokens);
  expect(usage.outputTokens).toBeGreaterThan(5);
});

test('R6.2 a clean end without a finish reason is a cut stream, charged by what came', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole().slice(0, 3)));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'ANSWER_CUT' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(3);
});

test.each([
  ['rate_limit_exceeded', { class: 'model_transient', code: 'RATE_LIMITED' }],
  ['server_error', { class: 'model_transient', code: 'SERVER_ERROR' }],
  ['context_length_exceeded', { class: 'model_semantic', code: 'CONTEXT_OVERFLOW' }],
])('R8.2 an error inside the stream is classed by its type: %s', async (code, failure) => {
  const error = { error: { message: 'something happened', type: 'error', code } };
  const server = await startWireServer((response) => sendEvents(response, [chunk({ content: 'Be' }), error]));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual(failure);
  expect(outcome.usage.inputTokens).toBeGreaterThan(0);
});

test('R10.4 a key that the server echoes is not shown, in any of its spellings', async () => {
  const key = 'sk-"quoted"/secret+0123456789';
  const server = await startWireServer((response, request) => {
    const { authorization } = request.headers;
    const echo = { said: authorization, json: JSON.stringify(authorization), url: encodeURIComponent(key) };
    sendJson(response, 401, { error: { message: `bad key in ${JSON.stringify(echo)}`, type: 'x', also: btoa(key) } });
  });
  const headers = { 'X-Api-Token': 'tok-abcdef' };
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => key, headers }) });

  const { detail, failure } = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(failure.code).toBe('UNAUTHORIZED');
  expect(detail).toContain('bad key in');
  for (const secret of [key, 'quoted', '0123456789', btoa(key), 'tok-abcdef']) expect(detail).not.toContain(secret);
});

test('R10.4 a key that the server writes into its answer goes no further, previews included', async () => {
  const key = 'sk-advSECRET-77777777';
  const server = await startWireServer((response) =>
    sendEvents(response, [
      chunk({ role: 'assistant', content: `Your key is ${key.slice(0, 9)}` }),
      chunk({ content: `${key.slice(9)} and ` }),
      chunk({
        tool_calls: [
          { index: 0, id: 'c', type: 'function', function: { name: 'write_file', arguments: `{"content":"${key}"}` } },
        ],
      }),
      chunk({}, 'tool_calls'),
    ]),
  );
  const shown: string[] = [];
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => key }) });

  const outcome = answered(await models.call('m', toolRequest, callOptions({ onText: (text) => shown.push(text) })));
  await server.stop();

  expect(JSON.stringify([outcome, shown])).not.toContain('SECRET');
  expect(outcome.text).toBe('Your key is [redacted] and ');
  expect(shown.join('')).toBe(outcome.text);
  expect(outcome.calls[0]?.rawArgs).toBe('{"content":"[redacted]"}');
});

test('the detail of a long error page is cut', async () => {
  const server = await startWireServer((response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>'.repeat(1_000));
  });
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });

  const { detail, failure } = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(failure).toEqual({ class: 'model_transient', code: 'SERVER_ERROR' });
  expect(detail.length).toBeLessThanOrEqual(501);
});

test('R8.2 a server that nobody started is a transient failure that bills nothing', async () => {
  const models = createModels({ m: modelConfig({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'CONNECTION_REFUSED' });
  expect(outcome.usage.costMicroUsd).toBe(0);
});

test('R6.2 a connection reset before the answer is charged its prompt: it may have been read', async () => {
  const server = await startWireServer((response) => response.socket?.resetAndDestroy());
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'CONNECTION_LOST' });
  expect(outcome.usage.inputTokens).toBeGreaterThan(0);
});

test('R9.1 a call that takes longer than its time ends as a timeout, and the connection with it', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole().slice(0, 1), false));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, timeoutMs: 100 }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  while (server.requests[0]?.closedEarly !== true) await new Promise((done) => setTimeout(done, 5));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'MODEL_TIMEOUT' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(0);
});

test('R8.6 a key that resolves to nothing stops before any request, and says which model', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole()));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => undefined }) });

  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'unrecoverable', code: 'UNAUTHORIZED' });
  expect(outcome.detail).toContain('"m"');
  expect(server.requests).toHaveLength(0);
});

test('R10.4 a key or header that HTTP cannot carry is refused without being printed', async () => {
  const key = 'sk-first-line\nsk-second-line';
  const outcome = failed(
    await createModels({ m: modelConfig({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: () => key }) }).call(
      'm',
      toolRequest,
      callOptions(),
    ),
  );
  expect(outcome.failure).toEqual({ class: 'unrecoverable', code: 'UNAUTHORIZED' });
  expect(outcome.detail).not.toContain('line');

  const headers = { 'X-Token': 'tök-secret' };
  const make = () => createModels({ m: modelConfig({ baseUrl: 'http://127.0.0.1:1/v1', headers }) });
  expect(make).toThrow(/^header "X-Token" of model "m" holds characters that no header takes$/);
});

test('R8.2 a redirect is no answer', async () => {
  const server = await startWireServer((response) => sendJson(response, 308, {}, { location: 'http://127.0.0.1:1/' }));
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });
  const outcome = failed(await models.call('m', toolRequest, callOptions()));
  await server.stop();
  expect(outcome.failure).toEqual({ class: 'unrecoverable', code: 'UNEXPECTED_STATUS' });
});

test('calls side by side each get their own answer, and share what connections they can', async () => {
  const server = await startWireServer((response, { headers }) =>
    sendEvents(response, [chunk({ content: `step ${headers['x-step']}` }), chunk({}, 'stop')]),
  );
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1` }) });
  const steps = Array.from({ length: 20 }, (_, step) => step);
  const ask = (step: number) =>
    models.call('m', toolRequest, callOptions({ headerFacts: { tenant: 'default', attempt: 'repair/1', step } }));
  const outcomes = await Promise.all(steps.map(ask));
  await server.stop();
  expect(outcomes.map((outcome) => answered(outcome).text)).toEqual(steps.map((step) => `step repair/1/${step}`));
});

test('R9.1 a key is resolved afresh for each call', async () => {
  const server = await startWireServer((response) => sendEvents(response, whole()));
  const keys = ['first-key', 'second-key'];
  const models = createModels({ m: modelConfig({ baseUrl: `${server.url}/v1`, apiKey: () => keys.shift() }) });

  await models.call('m', toolRequest, callOptions());
  await models.call('m', toolRequest, callOptions());
  await server.stop();

  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first-key',
    'Bearer second-key',
  ]);
});

test('a name that nobody configured is refused, with those that are', async () => {
  const models = createModels({ m: modelConfig({ baseUrl: 'http://127.0.0.1:1/v1' }) });
  expect(models.profile('toString')).toBeUndefined();
  expect(models.profile('m')).toEqual({
    name: 'm',
    version: expect.stringMatching(/^openai-compatible\/\S+ [0-9a-f]{8}$/),
    contextTokens: 128_000,
    maxOutputTokens: 1_000,
    timeoutMs: 20_000,
    quick: true,
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
