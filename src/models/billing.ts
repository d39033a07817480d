import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Usage } from '../activities/ports';
import { outputLimit } from './estimate';
import type { ModelConfig } from './models-config';
import { costMicroUsd, type Price, priceOf } from './prices';
import type { AnswerSoFar } from './read-answer';
import type { TokenCounter } from './token-count';

/** Money of one call: what is reserved before it, and what it cost (R6.2). */
export interface Bill {
  readonly usage: Usage;
  readonly price: Price;
}

export const nothingBilled: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 };

/** The most that a call with this prompt can cost: nothing cached, or all of it written to a cache, and the longest answer. */
export function reservation(config: ModelConfig, promptTokens: number): Usage {
  const price = priceOf(config, promptTokens);
  const outputTokens = outputLimit(config, promptTokens);
  const dearest = { ...price, input: Math.max(price.input, price.cacheWrite) };
  const billed = { inputTokens: promptTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { inputTokens: promptTokens, outputTokens, cacheReadTokens: 0, costMicroUsd: costMicroUsd(dearest, billed) };
}

/**
 * Tokenizers differ by up to a third, and a window is often configured below the real one; no call holds several windows.
 */
const believedWindows = 4;

/**
 * What the provider counted. Where it gave no number, or one that can not be true, the prompt and what was generated are
 * counted here: a server that says less than nothing would give the budget back, and one that says 1e300 would end it.
 */
export function billOf(config: ModelConfig, answer: AnswerSoFar, promptTokens: number, count: TokenCounter): Bill {
  const { inputTokens: input, outputTokens: output } = answer.usage ?? nothingSaid;
  const max = believedWindows * Math.max(config.contextTokens, promptTokens);
  const inputTokens = believed(input.total, max) ?? promptTokens;
  const outputTokens = believed(output.total, max) ?? count(answer.generated.join(''));
  // Parts of the prompt: what does not fit in it is billed as the rest of it.
  const cacheReadTokens = believed(input.cacheRead, inputTokens) ?? 0;
  const cacheWriteTokens = believed(input.cacheWrite, inputTokens - cacheReadTokens) ?? 0;
  const estimated =
    inputTokens !== input.total ||
    outputTokens !== output.total ||
    cacheReadTokens !== (input.cacheRead ?? 0) ||
    cacheWriteTokens !== (input.cacheWrite ?? 0);
  const price = priceOf(config, inputTokens);
  const cost = costMicroUsd(price, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });
  const usage = { inputTokens, outputTokens, cacheReadTokens, costMicroUsd: cost };
  return { usage: estimated ? { ...usage, estimated } : usage, price };
}

const nothingSaid: Pick<LanguageModelV3Usage, 'inputTokens' | 'outputTokens'> = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function believed(tokens: number | undefined, max: number): number | undefined {
  return Number.isInteger(tokens) && tokens !== undefined && tokens >= 0 && tokens <= max ? tokens : undefined;
}
