import type { ToolDefinition, ToolResult } from '../../src/activities/ports';
import { pointedSteps } from '../../src/domain/context/items/pointer-items';
import type { Contract } from '../../src/domain/contract/contract';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { putTool } from './put-tool';

/** An attempt whose results are many times what its model's context holds: reads, and now and then a write and a failure. */
export interface LongAttempt {
  readonly calls: number;
  /** Of each result, in characters; about four to a token. */
  readonly resultChars: number;
}

/** Every so many calls one is a write, fails, or is refused by the policy; the first of all is the plan. */
const writeEvery = 40;
const failEvery = 25;
const refuseEvery = 35;

export const longContract: Contract = {
  kind: 'dialog',
  goal: 'Read every page of the register and say on which of them the order 4711 stands.',
  constraints: ['Change no page of the register.'],
  forbidden: ['send_mail'],
  tools: ['read_page', 'read_shelf', 'burn_page', 'put'],
  acceptance: [],
};
const promise = 'Write down where the order stands';

export const isWrite = (step: number) => step % writeEvery === 0;
export const isFailure = (step: number) => step % failEvery === 0 && !isWrite(step);
export const isRefused = (step: number) => step % refuseEvery === 0 && !isWrite(step) && !isFailure(step);

/** What the user says while it is at work, after its plan and well before its first write. */
export const longRevision = { afterStep: 2, text: 'Say also on which page the order is said to be lost.' };

/** Ids of the items that its record has to protect (R13.2) where the steps up to `uptoStep` are hidden; more are no fault. */
export function longItems({ calls }: LongAttempt, uptoStep: number): readonly string[] {
  const steps = Array.from({ length: calls }, (_, index) => index + 1);
  const hidden = steps.slice(0, uptoStep);
  const pointers = hidden.filter((step) => step % pointedSteps === 1);
  return [
    ...['goal', 'revision/0', 'constraint/0', 'constraint/1', 'promise/p1'],
    ...steps.filter(isWrite).map((step) => `effect/s${step}.a0`),
    `failed/s${hidden.findLast(isFailure)}.a0`,
    `decision/s${hidden.findLast(isRefused)}.a0`,
    ...pointers.map((from) => `pointer/s${from}-s${Math.min(from + pointedSteps - 1, uptoStep)}`),
  ];
}

/** One call a step, and a last word. */
export function longTranscript({ calls }: LongAttempt): Transcript {
  const plan = { id: 'p1', title: promise, status: 'pending' };
  const attempts = Array.from({ length: calls }, (_, index) => {
    const step = index + 1;
    const call = isWrite(step)
      ? { tool: 'put', args: { key: `note-${step}`, value: `read up to page ${step}` } }
      : isFailure(step)
        ? { tool: 'read_shelf', args: { shelf: step } }
        : isRefused(step)
          ? { tool: 'burn_page', args: { page: step } }
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
    read('burn_page', quick, () => ({ ok: true, output: 'Burnt.' })), // never run: the policy refuses it
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
