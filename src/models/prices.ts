import type { TieredPrices } from '@pydantic/genai-prices';
import type { ModelConfig } from './models-config';

/** What a model's tokens cost, in whole micro-USD per million tokens, so that sums stay whole. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** False: nobody knows, and the price is zero. */
  readonly known: boolean;
}

export interface BilledTokens {
  /** All of the prompt, the cached part included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

const unknownPrice: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, known: false };
const tokensPerPrice = 1_000_000;
const microPerUsd = 1_000_000;

/**
 * The price of a call with so long a prompt (some vendors charge long ones more): from configuration, else from the
 * bundled table, which reads no network. An OpenAI-compatible server is looked up by its address alone: the same model
 * name costs something else elsewhere.
 */
export function priceOf(config: ModelConfig, inputTokens: number): Price {
  const { price } = config;
  if (price !== undefined) {
    const input = toMicro(price.inputPerMTok);
    const cacheRead = price.cacheReadPerMTok === undefined ? input : toMicro(price.cacheReadPerMTok);
    return { input, output: toMicro(price.outputPerMTok), cacheRead, cacheWrite: input, known: true };
  }
  return bundledPrice(config, inputTokens);
}

/** Micro-USD, rounded up. */
export function costMicroUsd(price: Price, billed: BilledTokens): number {
  const cached = billed.cacheReadTokens + billed.cacheWriteTokens;
  const plain = Math.max(billed.inputTokens - cached, 0);
  const sum =
    plain * price.input +
    billed.cacheReadTokens * price.cacheRead +
    billed.cacheWriteTokens * price.cacheWrite +
    billed.outputTokens * price.output;
  return Math.ceil(sum / tokensPerPrice);
}

/** As kept beside each cost. */
export function priceRecord(price: Price): Readonly<Record<string, number>> {
  return { ...price, known: price.known ? 1 : 0 };
}

function bundledPrice(config: ModelConfig, inputTokens: number): Price {
  const place =
    config.provider === 'openai-compatible'
      ? { providerApiUrl: config.baseUrl ?? '' }
      : { providerId: config.provider };
  const prices = priceTable().calcPrice({}, config.model, place)?.model_price;
  if (prices === undefined) return unknownPrice;

  const perMTok = (key: string) => toMicro(tierPrice(prices[key], inputTokens) ?? 0);
  const input = perMTok('input_mtok');
  return {
    input,
    output: perMTok('output_mtok'),
    cacheRead: prices['cache_read_mtok'] === undefined ? input : perMTok('cache_read_mtok'),
    cacheWrite: prices['cache_write_mtok'] === undefined ? input : perMTok('cache_write_mtok'),
    known: true,
  };
}

function tierPrice(price: number | TieredPrices | undefined, inputTokens: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  return price.tiers.reduce((reached, tier) => (inputTokens > tier.start ? tier.price : reached), price.base);
}

function toMicro(usd: number): number {
  return Math.round(usd * microPerUsd);
}

/** Loaded at the first look-up: the table takes 50 ms. */
function priceTable(): typeof import('@pydantic/genai-prices') {
  return require('@pydantic/genai-prices');
}
