import { InputError } from '../located-yaml/input-error';
import type { ModelConfig } from '../models/models-config';
import type { ConfigText } from './schema';

/** A model that tasks may name, with every setting decided. */
export interface ConfiguredModel extends ModelConfig {
  /** Names of models tried in this order where this one cannot answer. */
  readonly fallback: readonly string[];
}
export type Models = Readonly<Record<string, ConfiguredModel>>;
type Env = Readonly<Record<string, string | undefined>>;

/** The smallest window among models in common use, so that a view that fits it fits anywhere. */
const defaultContextTokens = 128_000;
/** Room for a patch of some hundred lines; every call reserves this much of the budget. */
const defaultMaxOutputTokens = 8_192;
/** A long answer of a slow model; beyond it another try is the better bet. */
const defaultModelTimeoutMs = 120_000;

const defaults = {
  contextTokens: defaultContextTokens,
  maxOutputTokens: defaultMaxOutputTokens,
  timeoutMs: defaultModelTimeoutMs,
  quick: false,
  fallback: [],
};

export function configuredModels(models: NonNullable<ConfigText['models']>, env: Env): Models {
  return Object.fromEntries(
    Object.entries(models).map(([name, { apiKey, baseUrl, price, headers, ...written }]) => [
      name,
      {
        provider: written.provider,
        model: written.model,
        contextTokens: written.contextTokens ?? defaults.contextTokens,
        maxOutputTokens: written.maxOutputTokens ?? defaults.maxOutputTokens,
        timeoutMs: written.timeoutMs ?? defaults.timeoutMs,
        quick: written.quick ?? defaults.quick,
        fallback: written.fallback ?? defaults.fallback,
        ...(baseUrl !== undefined && { baseUrl }),
        ...(apiKey !== undefined && { apiKey: () => env[apiKey.env] }),
        ...(headers !== undefined && { headers }),
        ...(price !== undefined && {
          price: {
            inputPerMTok: price.inputPerMTok,
            outputPerMTok: price.outputPerMTok,
            ...(price.cacheReadPerMTok !== undefined && { cacheReadPerMTok: price.cacheReadPerMTok }),
          },
        }),
      } satisfies ConfiguredModel,
    ]),
  );
}

/** The model named `default` where no file names one; none where the environment names none either. */
export function modelsOfEnvironment(env: Env): Models {
  const model = env['HOLDFAST_MODEL'] || undefined;
  const baseUrl = env['HOLDFAST_MODEL_BASE_URL'] || undefined;
  if (baseUrl !== undefined) {
    if (model === undefined)
      throw new InputError([{ message: 'HOLDFAST_MODEL_BASE_URL is set, but HOLDFAST_MODEL is not' }]);
    // A key of its own: a key that belongs to another provider must not travel to this address. Many servers ask for none.
    const key = env['HOLDFAST_MODEL_API_KEY'] ? { apiKey: () => env['HOLDFAST_MODEL_API_KEY'] } : {};
    return { default: { ...defaults, provider: 'openai-compatible', model, baseUrl, ...key } };
  }
  if (env['OPENAI_API_KEY']) {
    return {
      default: { ...defaults, provider: 'openai', model: model ?? 'gpt-5-mini', apiKey: () => env['OPENAI_API_KEY'] },
    };
  }
  if (env['ANTHROPIC_API_KEY']) {
    const apiKey = () => env['ANTHROPIC_API_KEY'];
    return { default: { ...defaults, provider: 'anthropic', model: model ?? 'claude-sonnet-4-5', apiKey } };
  }
  return {};
}

/** `name` and its fallbacks, each once, in the order in which they are tried. */
export function fallbackOrder(models: Models, name: string): readonly string[] {
  const order: string[] = [];
  const add = (next: string) => {
    if (order.includes(next) || models[next] === undefined) return;
    order.push(next);
    models[next].fallback.forEach(add);
  };
  add(name);
  return order;
}
