import type { Models } from '../config/models';
import { priceOf } from '../models/prices';

/** Those of the models whose price nobody knows, by name: what they answer is counted as free. */
export function unpriced(models: Models, names: readonly string[] = Object.keys(models)): readonly string[] {
  return names.filter((name) => {
    const model = models[name];
    // Whether a price is known does not hang on the prompt's length.
    return model !== undefined && !priceOf(model, 0).known;
  });
}

/** What that means, as one line; undefined where every price is known. */
export function unpricedWords(models: Models, names?: readonly string[]): string | undefined {
  const unknown = unpriced(models, names);
  if (unknown.length === 0) return undefined;
  return `price of ${unknown.join(', ')} unknown: maxCostUsd cannot bite; set price in holdfast.yaml (0 where it is free).`;
}
