import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { askedWaitMs, isRefusalReason, type RefusalReason } from '../../domain/failure/refusals';
import { isRecord, type JsonRecord, recordOf } from './record';

/** What a server answered, for the model and for the runtime. */
export interface Answer {
  /** The structured content as JSON where there is any, else the texts; what is neither is named. */
  readonly output: string;
  /** The structured content, or the text where that is a JSON object; empty where it is neither. */
  readonly fields: JsonRecord;
  readonly isError: boolean;
}

export function answerOf({ content, structuredContent, isError = false }: CallToolResult): Answer {
  const texts = content.map(shown).join('\n');
  const output = isRecord(structuredContent) && !isError ? JSON.stringify(structuredContent) : texts;
  const fields = isRecord(structuredContent) ? structuredContent : (jsonObject(texts) ?? {});
  return { output: output.replaceAll('\0', '\uFFFD'), fields, isError }; // the ledger's texts hold no NUL
}

/** What the structured content says of an error: `{ error: { code, message, committed, because, retryAfterMs } }`. */
export interface SaidError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly committed: boolean | undefined;
  /** What the no was about (R8.2). */
  readonly because: RefusalReason | undefined;
  readonly retryAfterMs: number | undefined;
}
export function errorOf({ fields }: Answer): SaidError {
  const { code, message, committed, because, retryAfterMs } = recordOf(fields['error']);
  return {
    code: typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    committed: typeof committed === 'boolean' ? committed : undefined,
    because: isRefusalReason(because) ? because : undefined,
    retryAfterMs: askedWaitMs(retryAfterMs),
  };
}

/** The other side's own id of what was done, where it says one. */
export function idOf({ fields: { id } }: Answer): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id.slice(0, idMax) : undefined;
}
/** An id is no place for a text, characters. */
const idMax = 200;

function shown(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, not shown]`;
    case 'resource_link':
      return `[resource ${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}, binary, not shown]`;
  }
}

/** The object that a text is as JSON. */
export function jsonObject(text: string): JsonRecord | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
