import { summarySystem } from '../../domain/context/summary-request';

/** What a request says: its step by a header, and the rest by its body, which is read only if a rule asks for it. */
export interface RequestView {
  /** `<task>/<n>`; undefined where the header is absent or names none. */
  readonly attempt: string | undefined;
  readonly step: number | undefined;
  /** Bytes of the body. */
  readonly bytes: number;
  readonly stream: boolean;
  /** It asks for a summary of steps that leave the view, and for no step's proposal. */
  readonly asksForSummary: boolean;
  conversation(): Conversation;
}
export interface Conversation {
  readonly messages: number;
  readonly lastUser: string;
  /** Where the newest message is a tool's result. */
  readonly lastTool: string | undefined;
  readonly lastToolResult: string;
}

const stepPattern = /^(?<attempt>[^/]+\/[^/]+)\/(?<step>[1-9]\d*)$/;

export function viewRequest(stepHeader: string | undefined, body: Buffer): RequestView {
  const named = stepPattern.exec(stepHeader ?? '')?.groups;
  let conversation: Conversation | undefined;
  return {
    attempt: named?.['attempt'],
    step: named?.['step'] === undefined ? undefined : Number(named['step']),
    bytes: body.byteLength,
    // Quotes inside JSON strings are escaped, so this can only be the key. Parsing 400 KB to learn it takes 2 ms.
    stream: body.includes('"stream":true') || body.includes('"stream": true'),
    asksForSummary: asksForSummary(body),
    conversation() {
      conversation ??= readConversation(JSON.parse(body.toString('utf8')));
      return conversation;
    },
  };
}

const summaryBytes = Buffer.from(JSON.stringify(summarySystem).slice(1, -1));

/** An agent may have read the sentence, so where it stands decides; it is parsed only where it stands somewhere. */
function asksForSummary(body: Buffer): boolean {
  if (!body.includes(summaryBytes)) return false;
  const request: unknown = JSON.parse(body.toString('utf8'));
  const [first] = list(field(request, 'messages'));
  return list(field(request, 'tools')).length === 0 && textOf(first).startsWith(summarySystem);
}

function readConversation(body: unknown): Conversation {
  const messages = list(field(body, 'messages'));
  const newest = messages.at(-1);
  const isTool = field(newest, 'role') === 'tool';
  const calls = messages.flatMap((message) => list(field(message, 'tool_calls')));
  const answeredCall = isTool
    ? calls.findLast((call) => field(call, 'id') === field(newest, 'tool_call_id'))
    : undefined;
  const tool = field(field(answeredCall, 'function'), 'name');
  return {
    messages: messages.length,
    lastUser: textOf(messages.findLast((message) => field(message, 'role') === 'user')),
    lastTool: typeof tool === 'string' ? tool : undefined,
    lastToolResult: isTool ? textOf(newest) : '',
  };
}

/** Content is a string, or parts with texts. */
function textOf(message: unknown): string {
  const content = field(message, 'content');
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => field(part, 'text'))
    .filter((part) => typeof part === 'string')
    .join('');
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
