import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelCallOptions } from '../../src/activities/ports';
import { maxAnswerBytes } from '../../src/models/call-guard';
import { createModels } from '../../src/models/model-port';
import { type ScriptedModel, startScriptedModel } from '../../src/models/scripted/scripted-model';
import { answered, callOptions, failed, modelConfig, toolRequest } from '../support/model-fixtures';

/** Each step of one attempt meets another fault; the next request of the same step is answered. */
const transcript = `
steps:
  1: { text: fine, fault: { status: 401, type: invalid_api_key } }
  2: { text: fine, fault: { status: 404 } }
  3: { text: fine, fault: { status: 429, retryAfter: 2, times: 2 } }
  4: { text: fine, fault: { status: 500 } }
  5: { text: fine, fault: { garbage: true } }
  6: { text: "${'word '.repeat(100)}", fault: { cut: 400 } }
  7: { text: fine, fault: { huge: 5000000 } }
  8: { calls: [{ tool: read_file, args: { path: "file{index}" }, repeat: 200 }] }
  9: { calls: [{ tool: read_file, args: { path: a.js } }], fault: { badArgs: true } }
  10: { text: fine, fault: { hang: true } }
  11: { text: fine, fault: { status: 429, type: insufficient_quota } }
  12: { text: fine, fault: { status: 400, type: context_length_exceeded } }
  13: { text: fine, fault: { status: 403 } }
  14: { text: fine, fault: { status: 529 } }
  15: { calls: [{ tool: write_file, args: { path: a.js, content: "${'abc '.repeat(200)}" } }], fault: { cut: 300 } }
`;

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ transcript });
});
afterAll(() => server.stop());

function callStep(step: number, options: Partial<ModelCallOptions> = {}, idleMs?: number) {
  const models = createModels({ m: modelConfig({ baseUrl: server.url }) }, idleMs === undefined ? {} : { idleMs });
  const headerFacts = { tenant: 'default', attempt: 'repair/1', step };
  return models.call('m', toolRequest, callOptions({ headerFacts, ...options }));
}

test.each([
  [1, { class: 'unrecoverable', code: 'UNAUTHORIZED' }],
  [2, { class: 'unrecoverable', code: 'MODEL_NOT_FOUND' }],
  [4, { class: 'model_transient', code: 'SERVER_ERROR' }],
  [11, { class: 'unrecoverable', code: 'QUOTA_EXCEEDED' }],
  [12, { class: 'model_semantic', code: 'CONTEXT_OVERFLOW' }],
  [13, { class: 'unrecoverable', code: 'UNAUTHORIZED' }],
  [14, { class: 'model_transient', code: 'OVERLOADED' }],
])('R8.2 the refusal of step %i is classed by its status and type, and bills nothing', async (step, failure) => {
  const outcome = failed(await callStep(step));

  expect(outcome.failure).toEqual(failure);
  expect(outcome.detail).toMatch(/^HTTP \d{3}: .*scripted fault/);
  expect(outcome.usage).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 });
  expect(answered(await callStep(step)).text).toBe('fine');
});

test('R8.5 a 429 says how long to wait, as often as it is given, and then the answer comes', async () => {
  const wait = { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs: 2_000 };
  expect(failed(await callStep(3)).failure).toEqual(wait);
  expect(failed(await callStep(3)).failure).toEqual(wait);
  expect(answered(await callStep(3)).text).toBe('fine');
});

test('R6.2 garbage is a transient failure whose prompt is charged', async () => {
  const outcome = failed(await callStep(5));

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'ANSWER_GARBAGE' });
  expect(outcome.usage.inputTokens).toBeGreaterThan(20);
  expect(outcome.usage.outputTokens).toBe(0);
});

test('R6.2 a text cut midway is charged by the tokens that came', async () => {
  const deltas: string[] = [];
  const outcome = failed(await callStep(6, { onText: (delta) => deltas.push(delta) }));

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'ANSWER_CUT' });
  expect(deltas.join('')).toBe('word '.repeat(80));
  expect(outcome.usage.outputTokens).toBeGreaterThanOrEqual(79);
  expect(outcome.usage.outputTokens).toBeLessThanOrEqual(100);
  expect(outcome.usage.costMicroUsd).toBe(outcome.usage.inputTokens + 4 * outcome.usage.outputTokens);
});

test('R6.2 arguments cut midway are charged too, and no half call comes through', async () => {
  const outcome = failed(await callStep(15));

  expect(outcome.failure.code).toBe('ANSWER_CUT');
  expect(outcome.usage.outputTokens).toBeGreaterThan(50);
});

test('R6.2 an answer over the size limit is cut off, fails as the model’s doing, and is charged', async () => {
  const outcome = failed(await callStep(7));

  expect(outcome.failure).toEqual({ class: 'model_semantic', code: 'ANSWER_TOO_LARGE' });
  expect(outcome.usage.outputTokens).toBeGreaterThan(maxAnswerBytes / 8);
  expect(answered(await callStep(7)).text).toBe('fine');
});

test('200 calls at once come through, in order, under ids of their own', async () => {
  const { calls, finish } = answered(await callStep(8));

  expect(finish).toBe('tool_calls');
  expect(calls.map((call) => call.rawArgs)).toEqual(
    Array.from({ length: 200 }, (_, index) => `{"path":"file${index}"}`),
  );
  expect(new Set(calls.map((call) => call.callId)).size).toBe(200);
});

test('arguments that are no JSON come through as the model wrote them', async () => {
  expect(answered(await callStep(9)).calls[0]?.rawArgs).toBe('{"path":"a.js",');
  expect(answered(await callStep(9)).calls[0]?.rawArgs).toBe('{"path":"a.js"}');
});

test('R9.1 a stream that falls silent ends by itself, and the server sees the connection close', async () => {
  const outcome = failed(await callStep(10, {}, 50));

  expect(outcome.failure).toEqual({ class: 'model_transient', code: 'MODEL_STALLED' });
  await closed(10);
});

test('M5 an abort rejects with its reason and closes the connection', async () => {
  const attempt = 'hang/1';
  const controller = new AbortController();
  const reason = new Error('cancelled by ana');
  const call = callStep(10, { signal: controller.signal, headerFacts: { tenant: 'default', attempt, step: 10 } });
  while (!server.requests().some((request) => request.attempt === attempt)) await sleep(5);
  controller.abort(reason);

  await expect(call).rejects.toBe(reason);
  await closed(10, attempt);
});

test('M5 a call under an aborted signal sends nothing', async () => {
  const before = server.requests().length;
  await expect(callStep(4, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
  expect(server.requests().length).toBe(before);
});

async function closed(step: number, attempt = 'repair/1'): Promise<void> {
  const request = () => server.requests().find((logged) => logged.step === step && logged.attempt === attempt);
  while (request()?.aborted !== true) await sleep(5);
}
