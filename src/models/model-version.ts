import { canonicalHash } from '../domain/canonical';
import type { ModelConfig } from './models-config';

/** Enough hex digits to tell two servers of one model apart. */
const hashDigits = 8;

/** What of a model's configuration makes it another model, readable; prices, time limits and credentials do not. */
export function modelVersion({ provider, model, baseUrl, contextTokens, maxOutputTokens }: ModelConfig): string {
  const hash = canonicalHash({ baseUrl, contextTokens, maxOutputTokens }).slice(0, hashDigits);
  return `${provider}/${model} ${hash}`;
}
