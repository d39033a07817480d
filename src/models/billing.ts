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

/** What the provider counted; what it did not count is estimated by the prompt and by what was generated. */
export function billOf(config: ModelConfig, answer: AnswerSoFar, promptTokens: number, count: TokenCounter): Bill {
  const { usage } = answer;
  const inputTokens = usage?.inputTokens.total ?? promptTokens;
  const outputTokens = usage?.outputTokens.total ?? count(answer.generated.join(''));
  const cacheReadTokens = usage?.inputTokens.cacheRead ?? 0;
  const cacheWriteTokens = usage?.inputTokens.cacheWrite ?? 0;
  const price = priceOf(config, inputTokens);
  const cost = costMicroUsd(price, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });
  return { usage: { inputTokens, outputTokens, cacheReadTokens, costMicroUsd: cost }, price };
}
