import type { AttemptDetails, CheckedCriterion } from '../ledger/queries/attempt-details';
import { paint } from './output';
import { pendingOf } from './pending';
import { duration, excerpt, money, stateWord } from './words';

const textLength = 400;
const labelWidth = 10;

/** All about one attempt, as lines for a person. */
export function renderDetails(details: AttemptDetails): readonly string[] {
  const { state, reason, goal, turn, step, workspace, criteria } = details;
  return [
    paint('bold', details.attemptId),
    row('state', `${stateWord(state)}${reason === null ? '' : ` (${reason})`}`),
    row('goal', excerpt(goal, textLength)),
    row('at', `turn ${turn}, step ${step}`),
    row('used', usedText(details)),
    ...criteria.map((criterion) => row('check', criterionText(criterion))),
    ...(workspace === null ? [] : [row('workspace', workspaceText(workspace))]),
    ...lastWords(details),
    ...details.waitingMessages.map(({ id, kind }) => row('inbox', `${kind} ${id} waits to be taken`)),
    ...(details.workflowStarted ? [] : [row('note', 'the start was left half done; a worker finishes it')]),
    ...pendingOf(details).flatMap(({ text, choices, command }) => [
      row('waits for', excerpt(text, textLength) || 'a message'),
      ...(choices === undefined ? [] : [row('', `choices: ${choices.join(' | ')}`)]),
      row('answer', paint('bold', command)),
    ]),
  ];
}

/** What was used of the limits, on one line. */
export function usedText({ budget: { used, limits } }: AttemptDetails): string {
  return [
    `${money(used.costMicroUsd)} of ${money(limits.maxCostMicroUsd)}`,
    `${used.tokens.toLocaleString('en-US')} of ${limits.maxTokens.toLocaleString('en-US')} tokens`,
    `${used.toolCalls} of ${limits.maxToolCalls} tool calls`,
    `${duration(used.runtimeMs)} of ${duration(limits.maxRuntimeMs)}`,
    `${used.repairs} of ${limits.maxRepairs} repairs`,
  ].join(' · ');
}

function criterionText({ id, check, met, candidate, detail }: CheckedCriterion): string {
  if (met === null) return `${paint('dim', '·')} ${id} (${check}), not checked yet`;
  const mark = met ? paint('green', '✓') : paint('red', '✗');
  return `${mark} ${id} (${check}), candidate ${candidate}${met || !detail ? '' : `: ${excerpt(detail, textLength)}`}`;
}

function workspaceText({ git, ref, base, branch, commit }: NonNullable<AttemptDetails['workspace']>): string {
  const from = `${git} at ${ref}${base === null ? '' : ` (${base.slice(0, 10)})`}`;
  return branch === null ? from : `${from} → branch ${paint('bold', branch)} (${commit?.slice(0, 10)})`;
}

function lastWords({ lastStep }: AttemptDetails): readonly string[] {
  return lastStep?.text ? [row('said', `“${excerpt(lastStep.text, textLength)}”`)] : [];
}

const row = (label: string, text: string) => `${paint('dim', label.padEnd(labelWidth))} ${text}`;
