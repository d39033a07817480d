import { summarySystem } from '../../src/domain/context/summary-request';
import type { LoggedRequest } from '../../src/models/scripted/scripted-model';
import { createTokenCounter } from '../../src/models/token-count';

/** Tokens that a chat format spends around a message. */
const frameTokens = 4;

interface ReceivedBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
  }[];
  readonly tools?: unknown;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** What a model server got, measured on what came over the wire. */
export class ReceivedRequests {
  /** Of the largest request for a step and for a summary. */
  readonly largest = { step: 0, summary: 0 };
  readonly count = { step: 0, summary: 0 };
  /** Texts of the newest request for a step, in order. */
  newest: readonly string[] = [];
  /** Requests for a step that did not begin with all but the last message of the one before, which is the only one that changes. */
  brokenPrefixes = 0;
  private readonly tokens = createTokenCounter();

  readonly note = (request: LoggedRequest): void => {
    const body = request.body() as ReceivedBody;
    const texts = body.messages.map(({ content }) => textOf(content));
    const kind = (texts[0] ?? '').startsWith(summarySystem) ? 'summary' : 'step';
    const calls = body.messages.flatMap(({ tool_calls: made = [] }) =>
      made.map((call) => JSON.stringify(call.function)),
    );
    const counted = [...texts, ...calls, body.tools === undefined ? '' : JSON.stringify(body.tools)];
    const prompt = counted.reduce((sum, text) => sum + this.tokens(text) + frameTokens, 0);
    const answer = body.max_tokens ?? body.max_completion_tokens ?? 0;
    this.count[kind] += 1;
    this.largest[kind] = Math.max(this.largest[kind], prompt + answer);
    if (kind === 'summary') return;
    const stays = this.newest.slice(0, -1).every((text, index) => text === texts[index]);
    if (!stays) this.brokenPrefixes += 1;
    this.newest = texts;
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}
