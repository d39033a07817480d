import { contractLayer } from './contract-layer';
import { fence } from './fence';
import type { ModelMessage, ModelRequest } from './messages';
import { itemText, renderProjection } from './render-projection';
import { saidTexts } from './said-texts';
import { planText } from './task-state';
import type { ViewFacts, ViewInput, ViewStep } from './view-facts';

/** The rows cannot be shown as a conversation: a bug of whoever wrote them. */
export class BrokenView extends Error {
  override readonly name = 'BrokenView';
}

/**
 * The model's view of an attempt: a pure function of ledger rows (R13.1). In order: the contract; what opened the
 * conversation; what the user said in steps that are not shown; the projection that stands for them (of an earlier attempt: it
 * comes first); the other steps, word for word; the state of the work.
 *
 *   I1  Everything but the last message is a function of rows that never change, in an order that only grows at its
 *       end, until other steps are hidden: a new projection (plan-compaction.ts), or a cut. What changes by itself is
 *       said last (R13.5).
 *   I2  Each call is followed by one tool message, in the order of the calls (chat rule of every provider).
 *   I3  Two assistant messages never meet: a user or tool message stands between them.
 *   I4  What the user said is always shown, also where the steps around it are not (R13.2); in part, where it is more
 *       than a view can hold (said-texts.ts). What revised the goal stands in the contract, whole.
 */
export function buildView(facts: ViewFacts): ModelRequest {
  // What an earlier attempt found out comes before what the user asks of this one.
  const before = facts.projection?.madeBy === 'inherited' ? [past, opening] : [opening, past];
  const messages = [
    ...before.flatMap((part) => part(facts)),
    ...facts.steps.flatMap((step) => shown(step, facts.inputs)),
  ];
  checkOrder(messages);
  const volatile = volatilePart(facts);
  return {
    system: contractLayer(facts.contract),
    ...(volatile === '' ? { messages } : { messages: [...messages, user(volatile)], lastChanges: true as const }),
    tools: facts.tools,
  };
}

/** Said where a task begins without a word from the user: providers refuse a conversation that nobody opened. */
const openingText = 'Begin with the goal.';

function opening(facts: ViewFacts): ModelMessage[] {
  const first = facts.inputs.filter((input) => input.afterStep === 0);
  const kept = facts.inputs.filter(
    (input) => input.afterStep > 0 && input.afterStep <= facts.hiddenSteps && input.kind === 'message', // I4
  );
  const texts = first.length === 0 ? [openingText] : first.map((input) => input.text);
  return [...texts, ...saidTexts(kept)].map(user);
}

function past({ projection, hiddenSteps, steps }: ViewFacts): ModelMessage[] {
  if (!projection) return [];
  const first = steps[0]?.step ?? Number.POSITIVE_INFINITY;
  if (projection.uptoStep > hiddenSteps || first <= projection.uptoStep) {
    throw new BrokenView(`Steps up to ${projection.uptoStep} are compacted and shown as well`);
  }
  return [user(renderProjection(projection))];
}

function shown(step: ViewStep, inputs: readonly ViewInput[]): ModelMessage[] {
  const results = step.calls.map(({ callId, tool, output }): ModelMessage => {
    if (output === null) throw new BrokenView(`Call ${callId} of step ${step.step} has no observation`); // I2
    return { role: 'tool', callId, tool, output: fence(output) };
  });
  const calls = step.calls.map(({ callId, tool, rawArgs }) => ({ callId, tool, rawArgs }));
  const said = inputs.filter((input) => input.afterStep === step.step).map((input) => user(input.text));
  return [{ role: 'assistant', text: step.text, calls }, ...results, ...said];
}

const user = (text: string): ModelMessage => ({ role: 'user', text });

function checkOrder(messages: readonly ModelMessage[]): void {
  messages.forEach((message, index) => {
    if (message.role === 'assistant' && messages[index - 1]?.role === 'assistant') {
      throw new BrokenView('A step follows a step that nothing answered'); // I3
    }
  });
}

/** A long list helps nobody; the model can list the files itself. */
const changedFilesMax = 50;

function volatilePart({ hiddenSteps, projection, blocks = [], taskState, environment }: ViewFacts): string {
  const parts: string[] = [];
  const told = projection?.uptoStep ?? 0;
  if (hiddenSteps > told) parts.push(`Steps ${told + 1}–${hiddenSteps} are not shown.`);
  if (taskState) parts.push(`Your plan:\n${fence(planText(taskState))}`);
  if (environment && environment.changedFiles.length > 0) {
    const files = environment.changedFiles.slice(0, changedFilesMax);
    const more = environment.changedFiles.length - files.length;
    parts.push(`Files changed so far:\n${fence(files.join('\n'))}${more > 0 ? `\nand ${more} more` : ''}`);
  }
  if (environment?.lastTest) {
    const { command, passed, failing } = environment.lastTest;
    const many = failing === undefined ? '' : `, ${failing} failing`;
    parts.push(`Last test: \`${command}\` ${passed ? 'passed' : 'failed'}${many}.`);
  }
  if (blocks.length > 0) parts.push(`Not settled yet:\n${fence(blocks.map(itemText).join('\n'))}`);
  return parts.length === 0 ? '' : `State of your work, from the runtime:\n\n${parts.join('\n\n')}`;
}
