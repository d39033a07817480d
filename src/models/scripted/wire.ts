import type { Completion } from './completion';

/** The chat-completions wire: what goes over the socket, as text. */

/** A constant, so that equal answers are equal bytes. */
const created = 1_700_000_000;

export function completionJson(model: string, id: string, answer: Completion): string {
  const message = {
    role: 'assistant',
    content: answer.text === '' ? null : answer.text,
    ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(({ id, tool, args }) => wireCall(id, tool, args)) }),
  };
  const choice = { index: 0, message, finish_reason: answer.finish };
  return JSON.stringify({ id, object: 'chat.completion', created, model, choices: [choice], usage: wireUsage(answer) });
}

/** The same answer as server-sent events: what was said so far, and what says that it is whole. */
export function completionEvents(model: string, id: string, answer: Completion): { body: string; end: string } {
  const chunk = (delta: object, finish: string | null) =>
    event({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const texts = piecesOf(answer.text).map((content) => chunk({ content }, null));
  const calls = answer.calls.map((call, index) => ({ index, ...wireCall(call.id, call.tool, call.args) }));
  return {
    body:
      chunk({ role: 'assistant' }, null) +
      texts.join('') +
      (calls.length > 0 ? chunk({ tool_calls: calls }, null) : ''),
    end:
      chunk({}, answer.finish) +
      event({ id, object: 'chat.completion.chunk', created, model, choices: [], usage: wireUsage(answer) }) +
      'data: [DONE]\n\n',
  };
}

/** Long enough that a text costs few events, short enough that a reader sees it grow. */
const pieceChars = 200;
/** A text that is meant to be too long goes in pieces of its own size, or its events alone would take a second. */
const pieceMax = 50;

function piecesOf(text: string): string[] {
  const size = Math.max(pieceChars, Math.ceil(text.length / pieceMax));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

export function errorJson(message: string, type: string): string {
  return JSON.stringify({ error: { message, type, code: type } });
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function wireCall(id: string, name: string, args: string) {
  return { id, type: 'function', function: { name, arguments: args } };
}

function wireUsage({ usage }: Completion) {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}
