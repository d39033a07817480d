import { createHash } from 'node:crypto';
import { type FoundAnswer, taskOf } from './find-answer';
import type { RequestView } from './request-view';
import type { Answer } from './transcript-schema';

/** An answer with nothing left to decide, in the terms of the wire. */
export interface Completion {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[];
  readonly finish: string;
  readonly usage: { readonly prompt: number; readonly completion: number; readonly cached: number };
}

/** The answer as far as so many characters: its text first, then the arguments of its calls. */
export function cutAfter(answer: Completion, chars: number): Completion {
  let left = chars - answer.text.length;
  const calls: Completion['calls'][number][] = [];
  for (const call of answer.calls) {
    if (left <= 0) break;
    calls.push({ ...call, args: call.args.slice(0, left) });
    left -= call.args.length;
  }
  return { ...answer, text: answer.text.slice(0, chars), calls };
}

/** Bytes of a chat request for one token: no more than a tokenizer counts, so usage stays below what is reserved. */
const bytesPerToken = 5;

/** `transcriptHash` makes the ids of calls differ between transcripts. */
export function completionOf(found: FoundAnswer, request: RequestView, transcriptHash: string): Completion {
  const { answer, template } = found;
  const facts = { step: request.step, attempt: request.attempt };
  const text = template ? fill(answer.text ?? '', facts) : (answer.text ?? '');
  const where = `${transcriptHash}/${request.attempt ?? found.place}/${request.step ?? request.conversation().messages}`;

  const calls = (answer.calls ?? []).flatMap(({ tool, args = {}, repeat }) =>
    Array.from({ length: repeat ?? 1 }, (_, index) => {
      const filled = template || repeat !== undefined ? fillAll(args, { ...facts, index }) : args;
      return { tool, args: JSON.stringify(filled) };
    }),
  );
  return {
    text,
    calls: calls.map((call, index) => ({ id: `call_${shortHash(`${where}/${index}`)}`, ...call })),
    finish: answer.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(
      answer,
      request.bytes,
      text.length + calls.reduce((sum, call) => sum + call.tool.length + call.args.length, 0),
    ),
  };
}

function usageOf({ usage }: Answer, requestBytes: number, answerChars: number): Completion['usage'] {
  return {
    prompt: usage?.promptTokens ?? Math.ceil(requestBytes / bytesPerToken),
    completion: usage?.completionTokens ?? Math.ceil(answerChars / bytesPerToken),
    cached: usage?.cachedTokens ?? 0,
  };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

interface Facts {
  readonly step: number | undefined;
  readonly attempt: string | undefined;
  readonly index?: number;
}

function fillAll(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') {
    const number = /^\{#(.*)\}$/.exec(value)?.[1];
    return number === undefined ? fill(value, facts) : Number(fill(`{${number}}`, facts));
  }
  if (Array.isArray(value)) return value.map((item) => fillAll(item, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, facts)]));
}

/** `{step}`, `{step%10}`, `{index}`, `{attempt}`, `{task}`; a whole `{#step}` is a number. What has no value stays as it is written. */
function fill(text: string, { step, attempt, index }: Facts): string {
  return text.replace(/\{(step|index|attempt|task)(?:%([1-9]\d*))?\}/g, (written, name: string, modulus?: string) => {
    switch (name) {
      case 'attempt':
        return attempt ?? written;
      case 'task':
        return attempt === undefined ? written : taskOf(attempt);
      default: {
        const value = name === 'step' ? step : index;
        if (value === undefined) return written;
        return String(modulus === undefined ? value : value % Number(modulus));
      }
    }
  });
}
