import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ModelToolCall } from '../domain/context/messages';
import { type CallGuard, maxAnswerBytes } from './call-guard';

/** What has come of an answer; whole once `readAnswer` has returned. */
export interface AnswerSoFar {
  text: string;
  readonly calls: ModelToolCall[];
  /** Everything that was generated, reasoning and unfinished arguments included: what a cut stream is billed by. */
  readonly generated: string[];
  servedBy?: string;
  finish?: LanguageModelV3FinishReason;
  usage?: LanguageModelV3Usage;
  /** The first error that the stream itself reported. */
  error?: unknown;
}

/** The connection ended in good order, but nobody said that the answer did. */
class AnswerCut extends Error {
  constructor() {
    super('the stream ended without a finish reason');
    this.name = 'AnswerCut';
  }
}

export function emptyAnswer(): AnswerSoFar {
  return { text: '', calls: [], generated: [] };
}

/**
 * Reads a provider's stream to its end into `answer`, which keeps what came where this throws: what the stream
 * reported, why it broke, or AnswerCut. After an error inside the stream reading goes on, since usage may follow it.
 */
export async function readAnswer(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  answer: AnswerSoFar,
  guard: CallGuard,
  onText?: (delta: string) => void,
): Promise<void> {
  const take = partTaker(answer, guard, onText);
  const reader = stream.getReader();
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      guard.signal.throwIfAborted();
      ended = done;
      if (value !== undefined) take(value);
    }
  } finally {
    if (!ended) void reader.cancel().catch(() => undefined); // already broken: nothing to close
  }
  if (answer.error !== undefined) throw answer.error;
  if (!isWhole(answer.finish)) throw new AnswerCut();
}

/** Some packages report `other` where the stream just ended; a provider's own word comes with it where it said so. */
function isWhole(finish: LanguageModelV3FinishReason | undefined): boolean {
  return (
    finish !== undefined && finish.unified !== 'error' && !(finish.unified === 'other' && finish.raw === undefined)
  );
}

function partTaker(answer: AnswerSoFar, guard: CallGuard, onText?: (delta: string) => void) {
  let bytes = 0;
  const generated = (delta: string) => {
    answer.generated.push(delta);
    bytes += Buffer.byteLength(delta);
    if (bytes > maxAnswerBytes) guard.stop('too_large');
  };

  return (part: LanguageModelV3StreamPart): void => {
    switch (part.type) {
      case 'text-delta':
        generated(part.delta);
        answer.text += part.delta;
        onText?.(part.delta);
        break;
      case 'reasoning-delta':
      case 'tool-input-delta':
        generated(part.delta);
        break;
      case 'tool-call': {
        // Providers send nothing at all for a call without arguments.
        const rawArgs = part.input.trim() === '' ? '{}' : part.input;
        answer.calls.push({ callId: part.toolCallId, tool: part.toolName, rawArgs });
        break;
      }
      case 'response-metadata':
        if (part.modelId !== undefined) answer.servedBy = part.modelId;
        break;
      case 'finish':
        answer.finish = part.finishReason;
        answer.usage = part.usage;
        break;
      case 'error':
        answer.error ??= part.error;
        break;
      default: // starts, ends and vendor parts carry nothing that is kept
    }
  };
}
