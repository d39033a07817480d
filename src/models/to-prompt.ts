import { createHash } from 'node:crypto';
import type { LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { ModelMessage, ModelRequest, ModelTool, ModelToolCall } from '../domain/context/messages';
import type { ModelConfig } from './models-config';

type Provider = ModelConfig['provider'];
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/** The request in the form that provider packages take. Equal messages become equal bytes, so prompt caches hold. */
export function toPrompt(request: ModelRequest, provider: Provider): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  if (request.system !== '') prompt.push({ role: 'system', content: request.system });
  for (const message of request.messages) {
    const converted = toMessage(message, provider);
    if (converted !== undefined) prompt.push(converted);
  }
  return provider === 'anthropic' ? withCacheMarks(prompt, request.lastChanges === true) : prompt;
}

export function toTools(tools: readonly ModelTool[], provider: Provider): LanguageModelV3FunctionTool[] {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.schema,
    // OpenAI's responses wire is strict where nothing is said, and then refuses optional arguments.
    ...(provider === 'openai' && { strict: false }),
  }));
}

/** Undefined for a message without content, which providers refuse. */
function toMessage(message: ModelMessage, provider: Provider): LanguageModelV3Message | undefined {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant': {
      const content: AssistantPart[] = message.text === '' ? [] : [{ type: 'text', text: message.text }];
      for (const call of message.calls) {
        content.push({
          type: 'tool-call',
          toolCallId: wireId(call.callId),
          toolName: call.tool,
          input: wireInput(call, provider),
        });
      }
      return content.length === 0 ? undefined : { role: 'assistant', content };
    }
    case 'tool': {
      const output = { type: 'text' as const, value: message.output };
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: wireId(message.callId), toolName: message.tool, output }],
      };
    }
  }
}

/** What every provider takes as the id of a call; one made by another provider may be longer or hold other signs. */
const wireIdPattern = /^[A-Za-z0-9_-]{1,40}$/;

function wireId(callId: string): string {
  if (wireIdPattern.test(callId)) return callId;
  return `call_${createHash('sha256').update(callId).digest('hex').slice(0, 24)}`;
}

/**
 * Arguments of an earlier call as an object, since servers fail on anything else: where the wire takes text, as the model
 * wrote them. What was no object is shown as what it was, since its error message, which follows, speaks of it.
 */
function wireInput({ rawArgs }: ModelToolCall, provider: Provider): unknown {
  try {
    const input: unknown = JSON.parse(rawArgs);
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return provider === 'anthropic' ? input : rawArgs;
  } catch {
    // No JSON at all: shown below.
  }
  return { invalid_arguments: rawArgs };
}

/** Anthropic caches up to a mark: the instructions, and the conversation as far as the next request begins with it too. */
function withCacheMarks(prompt: LanguageModelV3Prompt, lastChanges: boolean): LanguageModelV3Prompt {
  const last = prompt.length - (lastChanges ? 2 : 1);
  return prompt.map((message, index) => {
    if (message.role !== 'system' && index !== last) return message;
    return { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
  });
}
