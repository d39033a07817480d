import type { ModelConfig } from '../../src/models/models-config';

/** A call of the scripted model takes a millisecond. */
const modelTimeoutMs = 10_000;

/** The scripted model as an installation would configure it. */
export function modelConfig(baseUrl: string, quick: boolean): ModelConfig {
  return {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl,
    contextTokens: 64_000,
    maxOutputTokens: 1_000,
    timeoutMs: modelTimeoutMs,
    quick,
    price: { inputPerMTok: 1, outputPerMTok: 4 },
    headers: { 'X-Step': '{attempt}/{step}' },
  };
}
