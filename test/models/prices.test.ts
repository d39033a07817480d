import fc from 'fast-check';
import { costMicroUsd, priceOf, priceRecord } from '../../src/models/prices';
import { modelConfig } from '../support/model-fixtures';

const { price: _left, ...unpriced } = modelConfig({ baseUrl: 'http://127.0.0.1:1/v1' });

test('R6.2 configured prices win, and cached tokens cost the full price where none is given', () => {
  const price = priceOf(
    modelConfig({ baseUrl: 'http://127.0.0.1:1/v1', price: { inputPerMTok: 2.5, outputPerMTok: 10 } }),
    100,
  );
  expect(priceRecord(price)).toEqual({
    input: 2_500_000,
    output: 10_000_000,
    cacheRead: 2_500_000,
    cacheWrite: 2_500_000,
    known: 1,
  });
});

test('the bundled table knows the vendors’ models, and charges long prompts more where they do', () => {
  const claude = { ...unpriced, provider: 'anthropic', model: 'claude-sonnet-4-5' } as const;
  expect(priceOf({ ...unpriced, provider: 'openai', model: 'gpt-4o' }, 100)).toMatchObject({
    input: 2_500_000,
    known: true,
  });
  expect(priceOf(claude, 200_000)).toMatchObject({ input: 3_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 });
  expect(priceOf(claude, 200_001)).toMatchObject({ input: 6_000_000 });
});

test('a model that nobody knows costs nothing, and the record says that nobody knows', () => {
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, known: 0 };
  expect(priceRecord(priceOf({ ...unpriced, provider: 'openai', model: 'no-such-model' }, 100))).toEqual(free);
  expect(priceRecord(priceOf({ ...unpriced, model: 'gpt-4o' }, 100))).toEqual(free); // a local server of that name
});

test('R6.2 a cost is whole, rounded up, and grows with every token', () => {
  const tokens = fc.nat({ max: 2_000_000 });
  const price = { input: 333_333, output: 1_000_001, cacheRead: 10_001, cacheWrite: 400_000, known: true };
  fc.assert(
    fc.property(tokens, tokens, tokens, tokens, (plain, outputTokens, cacheReadTokens, cacheWriteTokens) => {
      const inputTokens = plain + cacheReadTokens + cacheWriteTokens;
      const billed = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
      const exact = plain * 0.333333 + outputTokens * 1.000001 + cacheReadTokens * 0.010001 + cacheWriteTokens * 0.4;
      const cost = costMicroUsd(price, billed);
      expect(Number.isSafeInteger(cost)).toBe(true);
      expect(cost).toBeGreaterThanOrEqual(exact - 0.001);
      expect(cost).toBeLessThan(exact + 1.001);
      expect(costMicroUsd(price, { ...billed, outputTokens: outputTokens + 1 })).toBeGreaterThan(cost);
    }),
  );
});
