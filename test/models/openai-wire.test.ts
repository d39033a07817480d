import { createModels } from '../../src/models/model-port';
import { answered, callOptions, failed, modelConfig, toolRequest } from '../support/model-fixtures';
import { sendEvents, sendJson, startWireServer, type WireServer } from '../support/wire-server';

const created = {
  type: 'response.created',
  response: { id: 'resp_1', created_at: 1_700_000_000, model: 'gpt-served' },
};
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
const text = [
  { type: 'response.output_item.added', output_index: 0, item: message },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I look ' },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'first.' },
  { type: 'response.output_item.done', output_index: 0, item: message },
];
const functionCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_7',
  name: 'read_file',
  status: 'in_progress',
  arguments: '',
};
const call = [
  { type: 'response.output_item.added', output_index: 1, item: functionCall },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":' },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '"b.js"}' },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { ...functionCall, status: 'completed', arguments: '{"path":"b.js"}' },
  },
];
const completed = {
  type: 'response.completed',
  response: {
    usage: {
      input_tokens: 900,
      input_tokens_details: { cached_tokens: 500 },
      output_tokens: 25,
      output_tokens_details: { reasoning_tokens: 5 },
    },
  },
};

function models(server: WireServer) {
  return createModels({
    m: modelConfig({ provider: 'openai', baseUrl: `${server.url}/v1`, model: 'gpt-4.1', apiKey: () => 'sk-key' }),
  });
}

test('openai: text and a call come through with their usage, cache reads included', async () => {
  const server = await startWireServer((response) => sendEvents(response, [created, ...text, ...call, completed]));
  const outcome = answered(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome).toMatchObject({
    text: 'I look first.',
    calls: [{ callId: 'call_7', tool: 'read_file', rawArgs: '{"path":"b.js"}' }],
    finish: 'tool_calls',
    servedBy: 'gpt-served',
    usage: { inputTokens: 900, outputTokens: 25, cacheReadTokens: 500, costMicroUsd: 400 + 250 + 100 },
  });
});

test('R1.3 openai: the request keeps nothing at the provider, and no tool is made strict', async () => {
  const server = await startWireServer((response) => sendEvents(response, [created, ...text, ...call, completed]));
  await models(server).call('m', toolRequest, callOptions());
  await server.stop();

  expect(server.requests[0]).toMatchObject({
    path: '/v1/responses',
    headers: { authorization: 'Bearer sk-key', 'idempotency-key': 'default/repair/1/s1.t1', 'x-step': 'repair/1/1' },
    body: {
      store: false,
      stream: true,
      max_output_tokens: 1_000,
      input: [
        { role: 'system', content: 'You repair code.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Fix the bug.' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path": "a.js"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'exports.add = (a, b) => a - b;' },
      ],
      tools: [{ type: 'function', name: 'read_file', strict: false, parameters: toolRequest.tools[0]?.schema }],
    },
  });
});

test.each([
  [401, 'invalid_api_key', { class: 'unrecoverable', code: 'UNAUTHORIZED' }],
  [429, 'insufficient_quota', { class: 'unrecoverable', code: 'QUOTA_EXCEEDED' }],
  [429, 'rate_limit_exceeded', { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs: 250 }],
  [400, 'context_length_exceeded', { class: 'model_semantic', code: 'CONTEXT_OVERFLOW' }],
])('R8.2 openai: status %i %s is classed', async (status, code, failure) => {
  const headers: Record<string, string> =
    code === 'rate_limit_exceeded' ? { 'retry-after-ms': '250', 'retry-after': '1' } : {};
  const server = await startWireServer((response) =>
    sendJson(response, status, { error: { message: 'no', type: 'x', param: null, code } }, headers),
  );
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual(failure);
});

test('R8.2 openai: a response that fails before any output is classed by its code', async () => {
  const error = { code: 'rate_limit_exceeded', message: 'slow down' };
  const failedEvent = { type: 'response.failed', sequence_number: 3, response: { error } };
  const server = await startWireServer((response) => sendEvents(response, [created, failedEvent]));
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'RATE_LIMITED' });
});

test('R6.2 openai: a stream that ends without its end is a cut one', async () => {
  const server = await startWireServer((response) => sendEvents(response, [created, ...text]));
  const outcome = failed(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'ANSWER_CUT' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(2);
});

test('openai: an answer cut at the output limit says so', async () => {
  const incomplete = {
    type: 'response.incomplete',
    response: { incomplete_details: { reason: 'max_output_tokens' }, usage: completed.response.usage },
  };
  const server = await startWireServer((response) => sendEvents(response, [created, ...text, incomplete]));
  const outcome = answered(await models(server).call('m', toolRequest, callOptions()));
  await server.stop();

  expect(outcome.finish).toBe('length');
});

test('R8.6 openai: without a key nothing is sent, whatever the environment holds', async () => {
  const server = await startWireServer((response) => sendEvents(response, [created, ...text, completed]));
  const withoutKey = createModels({
    m: modelConfig({ provider: 'openai', baseUrl: `${server.url}/v1`, model: 'gpt-4.1' }),
  });
  const before = process.env['OPENAI_API_KEY'];
  process.env['OPENAI_API_KEY'] = 'sk-from-the-environment';
  const outcome = failed(await withoutKey.call('m', toolRequest, callOptions()));
  if (before === undefined) delete process.env['OPENAI_API_KEY'];
  else process.env['OPENAI_API_KEY'] = before;
  await server.stop();

  expect(outcome.failure).toEqual({ class: 'unrecoverable', code: 'UNAUTHORIZED' });
  expect(server.requests).toHaveLength(0);
});
