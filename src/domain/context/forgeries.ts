import { readPointer } from './pointer';

/** What a text may point to. */
export interface Known {
  /** Newest step, and how many calls each step has. */
  readonly callsOf: (step: number) => number | undefined;
  readonly callIds: ReadonlySet<string>;
}

/** Marks of chat templates, and the runtime's own: whoever writes them speaks as somebody else. */
const marks: readonly RegExp[] = [
  /<\/?\s*data(-\d+)?\s*>/i,
  /<\|[a-z_]+\|>|<\|\w+>|\[\/?INST\]|<<\/?SYS>>/i,
  /<\/?\s*(system|assistant|user(?:-\d+)?|human|tool|tool_call|tool_result|tool_use|function_calls?|function_results?|invoke)(\s[^>]*)?>/i,
  /^[ \t>*#_-]{0,20}(system|assistant|user|human|tool|developer)[ \t*_]{0,10}:/im,
  /\{\s*\\?"ok\\?"\s*:\s*(true|false)/,
  /\\?"(tool_calls?|tool_use_id|tool_call_id|callId|function_call)\\?"\s*:/,
  /from the runtime\s*:/i,
];

/** A provider's id of a call; digits tell it from a function's name. */
const callIdForm = /\b(?:call|toolu)_(?=[A-Za-z]*\d)[A-Za-z0-9]{8,}\b/g;
const actionForm = /\bs([1-9]\d{0,8})\.a(0|[1-9]\d{0,8})\b/g;
const recallForm = /recall\s*\(?\s*\{\s*"pointer"\s*:\s*"([^"]*)"/g;

/** Whether a text of a model could be taken for the runtime's words, a call, or the result of one (R13.4). */
export function forges(text: string, known: Known): boolean {
  if (marks.some((mark) => mark.test(text))) return true;
  for (const [id] of text.matchAll(callIdForm)) if (!known.callIds.has(id)) return true;
  for (const [, step, index] of text.matchAll(actionForm)) {
    if (Number(index) >= (known.callsOf(Number(step)) ?? 0)) return true;
  }
  for (const [, pointer = ''] of text.matchAll(recallForm)) if (!readPointer(pointer)) return true;
  return false;
}
