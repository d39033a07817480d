import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import fc from 'fast-check';
import { billOf } from '../../src/models/billing';
import { type AnswerSoFar, emptyAnswer } from '../../src/models/read-answer';
import { modelConfig } from '../support/model-fixtures';

const config = modelConfig({ baseUrl: 'http://127.0.0.1:1/v1' });
const promptTokens = 100;
const said = (
  total: number | undefined,
  cacheRead?: number,
  cacheWrite?: number,
  output: number | undefined = 7,
): AnswerSoFar & { usage: LanguageModelV3Usage } => ({
  ...emptyAnswer(),
  generated: ['one ', 'two'],
  usage: {
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  },
});
const withOutput = (total: number | undefined) => {
  const { usage, ...answer } = said(90);
  return { ...answer, usage: { ...usage, outputTokens: { total, text: undefined, reasoning: undefined } } };
};
const bill = (answer: AnswerSoFar) => billOf(config, answer, promptTokens, () => 42).usage;

test('R6.2 numbers that can be true are taken as they are', () => {
  expect(bill(said(90, 40, 50))).toEqual({
    inputTokens: 90,
    outputTokens: 7,
    cacheReadTokens: 40,
    costMicroUsd: 20 + 50 + 28,
  });
  expect(bill(said(0, 0, 0, 0))).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 });
});

test.each([-5_000_000, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 10_000_000, undefined])(
  'R6.2 of %s tokens nothing is believed: the estimate is charged, and recorded as one',
  (lie) => {
    expect(bill(said(lie))).toMatchObject({ inputTokens: promptTokens, outputTokens: 7, estimated: true });
    const output = bill(withOutput(lie));
    expect(output).toMatchObject({ inputTokens: 90, outputTokens: 42, estimated: true });
  },
);

test('R6.2 more cached than there was of the prompt is not believed, so it makes nothing cheaper', () => {
  expect(bill(said(90, 91))).toMatchObject({ cacheReadTokens: 0, costMicroUsd: 90 + 28, estimated: true });
});

test('R6.2 whatever is said, what is charged is whole, from 0, and bounded', () => {
  const number = fc.option(fc.oneof(fc.double(), fc.integer()), { nil: undefined });
  fc.assert(
    fc.property(number, number, number, number, (total, read, write, output) => {
      const usage = bill(said(total, read, write, output));
      const { inputTokens, outputTokens, cacheReadTokens, costMicroUsd } = usage;
      for (const amount of [inputTokens, outputTokens, cacheReadTokens, costMicroUsd]) {
        expect([usage, Number.isSafeInteger(amount) && amount >= 0 && amount < 10_000_000]).toEqual([usage, true]);
      }
    }),
  );
});
