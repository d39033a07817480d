import { createModels } from '../../src/models/model-port';
import { answered, callOptions, failed, modelConfig, toolRequest } from '../support/model-fixtures';
import { sendEvents, sendJson, startWireServer, type WireServer } from '../support/wire-server';

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-served',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, cache_read_input_tokens: 800, cache_creation_input_tokens: 60, output_tokens: 1 },
  },
};
const text = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'first.' } },
  { type: 'content_block_stop', index: 0 },
];
const call = [
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ' "b.js"}' } },
  { type: 'content_block_stop', index: 1 },
];
const end = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 30 } },
  { type: 'message_stop' },
];

function models(server: WireServer) {
  return createModels({
    m: modelConfig({
      provider: 'anthropic',
      baseUrl: `${server.url}/v1`,
      model: 'claude-sonnet-4-5',
      apiKey: () => 'sk-ant-key',
    }),
  });
}

test('anthropic: text and a call come through with their usage, cache reads and writes charged', async () => {
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, ...call, ...end]));
  const outcome = answered(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome).toMatchObject({
    text: 'I look first.',
    calls: [{ callId: 'toolu_1', tool: 'read_file', rawArgs: '{"path": "b.js"}' }],
    finish: 'tool_calls',
    servedBy: 'claude-served',
    // 100 plain and 60 written at 1, 800 read at 0.5, 30 out at 4 micro-dollars each
    usage: { inputTokens: 960, outputTokens: 30, cacheReadTokens: 800, costMicroUsd: 160 + 400 + 120 },
  });
});

test('R1.3 anthropic: the request carries key, idempotency key, cache marks, and arguments as an object', async () => {
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, ...call, ...end]));
  await models(server).call('m', toolRequest, callOptions());
  await server.stop();

  const mark = { type: 'ephemeral' };
  expect(server.requests[0]).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': 'sk-ant-key', 'idempotency-key': 'default/repair/1/s1.t1', 'x-step': 'repair/1/1' },
    body: {
      max_tokens: 1_000,
      stream: true,
      system: [{ type: 'text', text: 'You repair code.', cache_control: mark }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Fix the bug.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a.js' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', cache_control: mark }] },
      ],
      tools: [{ name: 'read_file', input_schema: toolRequest.tools[0]?.schema }],
    },
  });
});

test('R13.5 anthropic: each mark stands where the next request begins with the same, whatever the last message says', async () => {
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, ...end]));
  const state = (words: string) => ({ role: 'user' as const, text: words });
  const first = {
    ...toolRequest,
    messages: [...toolRequest.messages, state('Plan: one.')],
    lastChanges: true as const,
  };
  await models(server).call('m', first, callOptions());
  await server.stop();

  const mark = { type: 'ephemeral' };
  expect(server.requests[0]?.body).toMatchObject({
    system: [{ cache_control: mark }],
    messages: [
      { role: 'user' },
      { role: 'assistant' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', cache_control: mark },
          { type: 'text', text: 'Plan: one.' },
        ],
      },
    ],
  });
  expect(JSON.stringify(server.requests[0]?.body).split('"cache_control"')).toHaveLength(3);
});

test.each([
  ['prompt is too long: 212000 tokens > 200000 maximum', 'CONTEXT_OVERFLOW'],
  ['messages.1: the prompt is too long, says a user', 'BAD_REQUEST'],
])('R8.2 anthropic: a 400 that says "%s"', async (message, code) => {
  const server = await startWireServer((response) =>
    sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } }),
  );
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();
  expect(outcome.failure.code).toBe(code);
});

test('anthropic: a call that was no JSON, under an id of another provider, goes back as what it was', async () => {
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, ...end]));
  const callId = 'repair/1/s1.a0';
  await models(server).call(
    'm',
    {
      ...toolRequest,
      messages: [
        { role: 'user', text: 'Fix the bug.' },
        { role: 'assistant', text: '', calls: [{ callId, tool: 'read_file', rawArgs: '{"path":' }] },
        { role: 'tool', callId, tool: 'read_file', output: 'not JSON' },
      ],
    },
    callOptions(),
  );
  await server.stop();

  const id = expect.stringMatching(/^call_[0-9a-f]{24}$/);
  expect(server.requests[0]?.body).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id, input: { invalid_arguments: '{"path":' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] },
    ],
  });
});

test.each([
  [401, 'authentication_error', { class: 'unrecoverable', code: 'UNAUTHORIZED' }],
  [404, 'not_found_error', { class: 'unrecoverable', code: 'MODEL_NOT_FOUND' }],
  [429, 'rate_limit_error', { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs: 7_000 }],
  [529, 'overloaded_error', { class: 'model_transient', code: 'OVERLOADED', retryAfterMs: 7_000 }],
])('R8.2 anthropic: status %i %s is classed', async (status, type, failure) => {
  const body = { type: 'error', error: { type, message: 'no' } };
  const server = await startWireServer((response) =>
    sendJson(response, status, body, status >= 429 ? { 'retry-after': '7' } : {}),
  );
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual(failure);
  expect(outcome.usage.costMicroUsd).toBe(0);
});

test('R8.2 anthropic: overloaded in the middle of a stream is transient, and what came is charged', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, error]));
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'OVERLOADED' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(2);
});

test('R8.2 anthropic: overloaded as the first event of a stream is transient', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const server = await startWireServer((response) => sendEvents(response, [error]));
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'OVERLOADED' });
});

test('R6.2 anthropic: a stream that ends without its end is a cut one', async () => {
  const server = await startWireServer((response) => sendEvents(response, [start, ...text, ...call.slice(0, 2)]));
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'ANSWER_CUT' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(4);
});
