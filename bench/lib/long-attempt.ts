import type { ToolDefinition, ToolResult } from '../../src/activities/ports';
import type { Contract } from '../../src/domain/contract/contract';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { putTool } from './put-tool';

/** An attempt whose results are many times what its model's context holds: reads, and now and then a write and a failure. */
export interface LongAttempt {
  readonly calls: number;
  /** Of each result, in characters; about four to a token. */
  readonly resultChars: number;
}

/** Every so many calls one is a write, or fails; the first of all is the plan. */
const writeEvery = 40;
const failEvery = 25;

export const longContract: Contract = {
  kind: 'dialog',
  goal: 'Read every page of the register and say on which of them the order 4711 stands.',
  constraints: ['Change no page of the register.'],
  forbidden: [],
  tools: ['read_page', 'read_shelf', 'put'],
  acceptance: [],
};
const promise = 'Write down where the order stands';

export const isWrite = (step: number) => step % writeEvery === 0;
export const isFailure = (step: number) => step % failEvery === 0 && !isWrite(step);

/** One call a step, and a last word. */
export function longTranscript({ calls }: LongAttempt): Transcript {
  const plan = { id: 'p1', title: promise, status: 'pending' };
  const attempts = Array.from({ length: calls }, (_, index) => {
    const step = index + 1;
    const call = isWrite(step)
      ? { tool: 'put', args: { key: `note-${step}`, value: `read up to page ${step}` } }
      : isFailure(step)
        ? { tool: 'read_shelf', args: { shelf: step } }
        : { tool: 'read_page', args: { page: step } };
    return [step, { calls: [step === 1 ? { tool: 'update_plan', args: { steps: [plan] } } : call] }];
  });
  return {
    steps: { ...Object.fromEntries(attempts), [calls + 1]: { text: 'On page 17.' } },
    summaries: [{ text: 'The pages were read one after the other; the order stood on none of them so far.' }],
  };
}

export function longTools({ resultChars }: LongAttempt, quick: boolean): readonly ToolDefinition[] {
  return [
    putTool(quick),
    read('read_page', quick, ({ page }) => ({ ok: true, output: pageText(Number(page), resultChars) })),
    read('read_shelf', quick, () => ({
      ok: false,
      failure: { class: 'tool_business', code: 'SHELF_LOCKED' },
      error: {
        code: 'SHELF_LOCKED',
        message: 'The shelf is locked.',
        retryable: false,
        suggested_action: 'Read pages.',
      },
    })),
  ];
}

/** A read takes no time. */
const readTimeoutMs = 5_000;

function read(name: string, quick: boolean, run: (args: Record<string, unknown>) => ToolResult): ToolDefinition {
  return {
    name,
    description: 'Reads the register.',
    schema: { type: 'object' },
    validate: () => undefined,
    effect: 'none',
    workspace: false,
    quick,
    timeoutMs: readTimeoutMs,
    version: `${name}-1`,
    run: async (args: Record<string, unknown>) => run(args),
  };
}

const words = ['order', 'paid', 'open', 'lost', 'north', 'south', 'crate', 'weight', 'stamp', 'late', 'sealed', 'none'];

/** Another text for each page, of words that a tokenizer does not fold together. */
function pageText(page: number, chars: number): string {
  let text = `Page ${page} of the register:`;
  for (let k = 0; text.length < chars; k += 1)
    text += ` ${words[(page * 7 + k * 5 + ((k * k) % 11)) % words.length]} ${(page * 31 + k * 17) % 997}`;
  return text;
}
