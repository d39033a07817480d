import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { guardedFetch } from './call-guard';
import type { ModelConfig } from './models-config';

/** Named here, so that a variable in the environment of the process cannot redirect a key to another server. */
const baseUrls = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' };

/**
 * A provider's language model. Its package is loaded at the first use: 60 to 80 ms each, which a command that calls no
 * model need not wait for. Costly to make (schemas are compiled), so callers keep it.
 */
export function providerModel(config: ModelConfig, apiKey: string | undefined): LanguageModelV3 {
  switch (config.provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } =
        require('@ai-sdk/openai-compatible') as typeof import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible',
        baseURL: config.baseUrl ?? '',
        includeUsage: true,
        fetch: guardedFetch,
        ...(apiKey !== undefined && { apiKey }),
      })(config.model);
    }
    case 'openai': {
      const { createOpenAI } = require('@ai-sdk/openai') as typeof import('@ai-sdk/openai');
      return createOpenAI({ baseURL: config.baseUrl ?? baseUrls.openai, apiKey: apiKey ?? '', fetch: guardedFetch })(
        config.model,
      );
    }
    case 'anthropic': {
      const { createAnthropic } = require('@ai-sdk/anthropic') as typeof import('@ai-sdk/anthropic');
      return createAnthropic({
        baseURL: config.baseUrl ?? baseUrls.anthropic,
        apiKey: apiKey ?? '',
        fetch: guardedFetch,
      })(config.model);
    }
  }
}

/** Settings of one vendor. OpenAI is told to keep no copy: the ledger is the memory, and each request is whole. */
export function providerOptions(provider: ModelConfig['provider']): SharedV3ProviderOptions | undefined {
  return provider === 'openai' ? { openai: { store: false } } : undefined;
}

/** Whether the provider refuses every request without a key. */
export function needsKey(config: ModelConfig): boolean {
  return config.provider !== 'openai-compatible' || config.apiKey !== undefined;
}
