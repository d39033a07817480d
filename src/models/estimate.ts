import type { ModelMessage, ModelRequest, ModelTool } from '../domain/context/messages';
import type { ModelConfig } from './models-config';
import type { TokenCounter } from './token-count';

/** Tokens that a chat format spends around each message, call or tool. */
const frameTokens = 8;

/**
 * One tokenizer serves all; other vendors' count up to a third more for the same text, and a reservation must be an
 * upper bound (R6.2).
 */
const marginByProvider: Readonly<Record<ModelConfig['provider'], number>> = {
  openai: 1.05,
  'openai-compatible': 1.2,
  anthropic: 1.4,
};

/** Where the prompt fills the context, this much is still asked for: the provider knows better, and says so. */
const minOutputTokens = 256;

/** A request is reserved for and then sent, and both ask. */
const byRequest = new WeakMap<ModelRequest, number>();

/** Upper bound of a prompt's tokens; at steady state only the newest messages are tokenized. */
export function promptTokens(config: ModelConfig, request: ModelRequest, count: TokenCounter): number {
  let tokens = byRequest.get(request);
  if (tokens === undefined) {
    tokens = requestTokens(request, count);
    byRequest.set(request, tokens);
  }
  return Math.ceil(tokens * marginByProvider[config.provider]);
}

function requestTokens(request: ModelRequest, count: TokenCounter): number {
  let tokens = frameTokens + count(request.system);
  for (const message of request.messages) tokens += messageTokens(message, count);
  for (const tool of request.tools) tokens += toolTokens(tool, count);
  return tokens;
}

/** The longest answer that still fits the context. */
export function outputLimit(config: ModelConfig, prompt: number): number {
  return Math.min(config.maxOutputTokens, Math.max(config.contextTokens - prompt, minOutputTokens));
}

function messageTokens(message: ModelMessage, count: TokenCounter): number {
  switch (message.role) {
    case 'user':
      return frameTokens + count(message.text);
    case 'tool':
      return frameTokens + count(message.output);
    case 'assistant': {
      let tokens = frameTokens + count(message.text);
      for (const call of message.calls) tokens += frameTokens + count(call.tool) + count(call.rawArgs);
      return tokens;
    }
  }
}

/** A tool's schema is one object for the life of the process, so its text is made once. */
const schemaTexts = new WeakMap<object, string>();

function toolTokens(tool: ModelTool, count: TokenCounter): number {
  let schema = schemaTexts.get(tool.schema);
  if (schema === undefined) {
    schema = JSON.stringify(tool.schema);
    schemaTexts.set(tool.schema, schema);
  }
  return frameTokens + count(tool.name) + count(tool.description) + count(schema);
}
