import type { ModelToolCall } from '../domain/context/messages';
import type { AnswerSoFar } from './read-answer';
import { redacted } from './redact';

/**
 * Shorter values stay in answers: a local server's key is often a word (`ollama`, `not-needed`), which code may hold too,
 * and a real key is longer. Characters.
 */
const secretMinChars = 16;

/** What leaves this folder of an answer, and what is previewed of it, holds no configured secret (R10.4). */
export interface AnswerRedactor {
  answer(answer: AnswerSoFar): {
    readonly text: string;
    readonly calls: readonly ModelToolCall[];
    readonly servedBy?: string;
  };
  /** Holds back what may be the beginning of a secret until the next piece tells; the last piece may be held for ever. */
  preview(show: (text: string) => void): (delta: string) => void;
}

export function createAnswerRedactor(values: readonly string[]): AnswerRedactor {
  const secrets = [...new Set(values)].filter(({ length }) => length >= secretMinChars);
  const plain = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, redacted), text);
  return {
    answer: ({ text, calls, servedBy }) => ({
      text: plain(text),
      calls: calls.map(({ callId, tool, rawArgs }) => ({
        callId: plain(callId),
        tool: plain(tool),
        rawArgs: redactedArgs(rawArgs, secrets, plain),
      })),
      ...(servedBy !== undefined && { servedBy: plain(servedBy) }),
    }),
    preview: (show) => {
      let held = '';
      return (delta) => {
        const text = plain(held + delta);
        held = text.slice(text.length - heldLength(text, secrets));
        const shown = text.slice(0, text.length - held.length);
        if (shown !== '') show(shown);
      };
    },
  };
}

/** Arguments are JSON, which may spell any sign by its number and some behind a backslash. */
function redactedArgs(rawArgs: string, secrets: readonly string[], plain: (text: string) => string): string {
  let shown = plain(rawArgs);
  for (const secret of secrets) {
    const inJson = JSON.stringify(secret).slice(1, -1);
    shown = shown.replaceAll(inJson, redacted).replaceAll(inJson.replaceAll('/', '\\/'), redacted);
  }
  // Letters and digits have no reason to be spelled by number: where a secret appears behind that, so it stays read.
  const read = shown.replace(/\\u00([2-7][0-9a-f])/gi, (spelled, digits: string) => {
    const sign = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.-]/.test(sign) ? sign : spelled;
  });
  return plain(read) === read ? shown : plain(read);
}

/** The longest end of the text that begins a secret. */
function heldLength(text: string, secrets: readonly string[]): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) longest = length;
    }
  }
  return longest;
}
