import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createModels } from '../../src/models/model-port';
import { createTokenCounter } from '../../src/models/token-count';
import { modelConfig, toolRequest } from '../support/model-fixtures';

const models = (overrides: object = {}) =>
  createModels({ m: modelConfig({ baseUrl: 'http://127.0.0.1:1/v1', ...overrides }) });

test('R6.2 the estimate covers every text of the request and the longest answer, at the full price', () => {
  const { system, messages, tools } = toolRequest;
  const texts = [
    system,
    JSON.stringify(tools),
    ...messages.map((message) => ('text' in message ? message.text : message.output)),
  ];
  const bare = texts.reduce((sum, text) => sum + countTokens(text), 0);

  const estimate = models().estimate('m', toolRequest);

  expect(estimate.inputTokens).toBeGreaterThan(bare);
  expect(estimate.inputTokens).toBeLessThan(3 * bare);
  expect(estimate).toMatchObject({ outputTokens: 1_000, cacheReadTokens: 0 });
  expect(estimate.costMicroUsd).toBe(estimate.inputTokens + 4 * 1_000);
});

test('R6.2 a dearer cache write is reserved for', () => {
  const { price: _left, ...claude } = modelConfig({ baseUrl: 'x', provider: 'anthropic', model: 'claude-sonnet-4-5' });
  const { inputTokens, costMicroUsd } = createModels({ m: claude }).estimate('m', toolRequest);
  expect(costMicroUsd).toBe(Math.ceil(inputTokens * 3.75) + 15 * 1_000);
});

test('where the prompt nears the context, the answer that is asked for shrinks', () => {
  const long = { ...toolRequest, system: 'word '.repeat(2_000) };
  const limited = (contextTokens: number) => models({ contextTokens }).estimate('m', long).outputTokens;
  const { inputTokens } = models().estimate('m', long);
  expect(limited(inputTokens + 600)).toBe(600);
  expect(limited(100)).toBe(256);
});

test('counting is linear where a tokenizer is not, and errs upward', () => {
  const count = createTokenCounter();
  const run = 'a'.repeat(200_000); // the tokenizer alone takes 20 s
  expect(count(run)).toBeGreaterThan(20_000);
  const prose = 'The quick brown fox jumps over the lazy dog; 12,345 times. '.repeat(200);
  expect(count(prose)).toBeGreaterThanOrEqual(countTokens(prose));
  expect(count(prose)).toBeLessThan(1.05 * countTokens(prose));
  expect(count('x'.repeat(3_000_000))).toBeGreaterThan(300_000);
});

test('a text that spells a control token is counted as text', () => {
  expect(createTokenCounter()('say <|endoftext|> now')).toBeGreaterThan(5);
});

test('counts are the same when they are remembered, and after they were forgotten', () => {
  const count = createTokenCounter();
  const texts = Array.from({ length: 60 }, (_, index) => `text ${index} ${'lorem ipsum '.repeat(10_000)}`);
  const first = texts.map(count);
  expect(texts.map(count)).toEqual(first);
  expect(texts.toReversed().map(count).toReversed()).toEqual(first);
});
