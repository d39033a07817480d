import type { ModelCallOptions, ModelOutcome } from '../../src/activities/ports';
import type { ModelRequest } from '../../src/domain/context/messages';
import type { ModelConfig } from '../../src/models/models-config';

/** A model's configuration with prices that are easy to reckon: 1 and 4 dollars a million tokens, half for cached ones. */
export function modelConfig(overrides: Partial<ModelConfig> & Pick<ModelConfig, 'baseUrl'>): ModelConfig {
  return {
    provider: 'openai-compatible',
    model: 'test-model',
    contextTokens: 128_000,
    maxOutputTokens: 1_000,
    price: { inputPerMTok: 1, outputPerMTok: 4, cacheReadPerMTok: 0.5 },
    headers: { 'X-Step': '{attempt}/{step}' },
    timeoutMs: 20_000,
    quick: true,
    ...overrides,
  };
}

export function callOptions(overrides: Partial<ModelCallOptions> = {}): ModelCallOptions {
  return {
    signal: new AbortController().signal,
    idempotencyKey: 'default/repair/1/s1.t1',
    headerFacts: { tenant: 'default', attempt: 'repair/1', step: 1 },
    ...overrides,
  };
}

/** A conversation with one finished tool call and one tool on offer. */
export const toolRequest: ModelRequest = {
  system: 'You repair code.',
  messages: [
    { role: 'user', text: 'Fix the bug.' },
    {
      role: 'assistant',
      text: 'Looking.',
      calls: [{ callId: 'call_1', tool: 'read_file', rawArgs: '{"path": "a.js"}' }],
    },
    { role: 'tool', callId: 'call_1', tool: 'read_file', output: 'exports.add = (a, b) => a - b;' },
  ],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      schema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  ],
};

export function answered(outcome: ModelOutcome): Extract<ModelOutcome, { kind: 'answered' }> {
  if (outcome.kind !== 'answered') throw new Error(`failed: ${outcome.failure.code} ${outcome.detail}`);
  return outcome;
}

export function failed(outcome: ModelOutcome): Extract<ModelOutcome, { kind: 'failed' }> {
  if (outcome.kind !== 'failed') throw new Error('answered');
  return outcome;
}
