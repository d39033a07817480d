import { branchFitInWords } from '../domain/contract/branch-fit';
import type { StepDetails } from '../ledger/queries/step-details';
import type { EventContent } from '../protocol/events';
import { callWords } from '../requests/words/call-words';
import { exceededLine } from '../requests/words/limit-words';
import { loopWords } from '../requests/words/loop-words';
import { duration, excerpt, money, plural } from '../requests/words/words';
import { contextWords } from './context-words';
import { paint } from './output';
import { renderEffectEvent } from './render-effect-event';
import { versionWords } from './version-words';
import { stateWord } from './words';

const textLength = 100;
/** Calls that end a turn: they are not run, so nothing else tells of them. */
const endings = ['finish'];
/** States worth a line of their own; the others are passed at every step. */
const toldStates = ['VERIFYING', 'NEEDS_REPAIR', 'COMMITTING', 'CANCELLING'];

/** What an event points to. */
export interface Told {
  readonly details?: StepDetails | undefined;
  /** What a message said, or the first one. */
  readonly words?: string | null | undefined;
}

/** An event as lines for a person; none where it says nothing that the lines around it do not. */
export function renderEvent(event: EventContent, step: number, told: Told = {}): readonly string[] {
  const { details } = told;
  switch (event.type) {
    case 'attempt_created':
      return [
        line('created', createdWords(event.payload)),
        ...(told.words ? [continued(`“${excerpt(told.words, textLength)}”`)] : []),
      ];
    case 'state_moved':
      return event.payload.path
        .slice(1)
        .flatMap((state) => (toldStates.includes(state) ? [line('state', stateWord(state))] : []));
    case 'workspace_ready': {
      const { base, setupMs } = event.payload;
      return [line('workspace', `at ${base.slice(0, 10)}, set up in ${duration(setupMs)}`)];
    }
    case 'workspace_moved':
      return [line('workspace', `its host ${event.payload.from} is gone; ${event.payload.to} goes on with it`)];
    case 'model_answered': {
      const { calls, tokensIn, tokensOut, costMicroUsd } = event.payload;
      const bill = `${plural(calls, 'call')}, ${plural(tokensIn, 'token')} in and ${tokensOut} out, ${details?.priceKnown === false ? 'price unknown' : money(costMicroUsd)}`;
      const said = details?.text ? [continued(`“${excerpt(details.text, textLength)}”`)] : [];
      const ended = details?.actions.filter(({ tool }) => endings.includes(tool)) ?? [];
      return [
        line(`step ${step}`, `model answered: ${bill}`),
        ...said,
        ...ended.map(({ tool, args }) => continued(callWords(tool, args))),
      ];
    }
    case 'model_failed': {
      // An event stands at the newest step that has a proposal; the try was for the next.
      const { model, code, detail } = event.payload;
      return [
        line(
          `step ${step + 1}`,
          paint('yellow', `model ${model} failed: ${code}${detail ? ` · ${excerpt(detail, textLength)}` : ''}`),
        ),
      ];
    }
    case 'context_compacted':
    case 'projection_rejected':
      return [line('context', contextWords(event))];
    case 'action_started':
      return [];
    case 'action_finished': {
      const { index, tool, ok, code } = event.payload;
      const action = details?.actions.find((known) => known.index === index);
      const call = callWords(tool, action?.args ?? null);
      return [continued(ok ? `${paint('green', '✓')} ${call}` : `${paint('red', '✗')} ${call} · ${code ?? 'failed'}`)];
    }
    case 'tool_retry':
      return [continued(paint('yellow', `try ${event.payload.try} failed: ${event.payload.code}; tried again`))];
    case 'tool_failed':
      return [continued(paint('yellow', excerpt(event.payload.detail, textLength)))];
    case 'read_repeated':
      return event.payload.drift
        ? [continued(paint('yellow', `${event.payload.tool} saw another workspace than its first try did`))]
        : [];
    case 'protected_read':
      return [];
    case 'loop_warning': {
      const action = details?.actions.find((known) => known.index === event.payload.index);
      return [continued(paint('yellow', loopWords({ ...event.payload, args: action?.args ?? null })))];
    }
    default:
      return renderTurningPoint(event, told);
  }
}

type TurningPoint = Exclude<
  EventContent,
  {
    type:
      | 'attempt_created'
      | 'state_moved'
      | 'workspace_ready'
      | 'workspace_moved'
      | 'model_answered'
      | 'model_failed'
      | 'context_compacted'
      | 'projection_rejected'
      | 'action_started'
      | 'action_finished'
      | 'tool_retry'
      | 'tool_failed'
      | 'read_repeated'
      | 'protected_read'
      | 'loop_warning';
  }
>;

function renderTurningPoint(event: TurningPoint, { words }: Told): readonly string[] {
  switch (event.type) {
    case 'workspace_failed':
      return [
        line('workspace', paint('yellow', `${event.payload.code}: ${excerpt(event.payload.detail, textLength)}`)),
      ];
    case 'message_taken':
      return [line('message', `${event.payload.kind} taken${quoted(words)}`)];
    case 'message_rejected':
      return [line('message', paint('yellow', `${event.payload.kind} rejected: ${event.payload.why}${quoted(words)}`))];
    case 'criterion_checked': {
      const { criterion, met, code } = event.payload;
      return [
        line(
          'check',
          met ? `${paint('green', '✓')} ${criterion}` : `${paint('red', '✗')} ${criterion}${code ? ` · ${code}` : ''}`,
        ),
      ];
    }
    case 'repair_requested':
      return [line('repair', `asked for: ${event.payload.unmet.join(', ')}`)];
    case 'nothing_changed':
      return [line('committed', 'nothing: the work is as it was at the beginning')];
    case 'commit_failed':
      return [line('committed', paint('red', `not on branch ${event.payload.branch}: ${event.payload.detail}`))];
    case 'workflow_lost':
      return [line('lost', paint('red', `Temporal says that the workflow is over (${event.payload.status})`))];
    case 'committed':
      return [line('committed', committedLine(event.payload))];
    case 'budget_exceeded':
      return [line('budget', paint('yellow', exceededLine(event.payload)))];
    case 'execution_lost':
      return [line('recovery', `the worker of ${event.payload.kind} was lost; another goes on`)];
    case 'gave_up':
      return [line('recovery', paint('yellow', `${event.payload.kind} gave no answer: ${event.payload.code}`))];
    case 'paused':
      return [line('paused', `${stateWord(event.payload.state)} (${event.payload.reason})`)];
    case 'version_changed':
      return [line('version', paint('yellow', versionWords(event.payload)))];
    case 'ended':
      return [line('ended', `${stateWord(event.payload.state)} (${event.payload.reason})`)];
    default:
      return renderEffectEvent(event);
  }
}

type Created = Extract<EventContent, { type: 'attempt_created' }>['payload'];

const createdWords = ({ contractVersion, forkedFrom, inherits, continues }: Created) =>
  [
    `contract version ${contractVersion}`,
    ...(forkedFrom === undefined ? [] : [`forked from ${forkedFrom}`]),
    ...(inherits === undefined ? [] : [`knows the record of ${inherits}`]),
    ...(continues === undefined ? [] : [`goes on from ${continues}`]),
  ].join(', ');

const quoted = (words: string | null | undefined) => (words ? ` “${excerpt(words, textLength)}”` : '');

const labelWidth = 10;
const line = (label: string, text: string) => `${paint('dim', label.padEnd(labelWidth))} ${text}`;
const continued = (text: string) => `${' '.repeat(labelWidth)} ${text}`;

function committedLine({ branch, commit, fit }: Extract<EventContent, { type: 'committed' }>['payload']): string {
  const words = fit && branchFitInWords(fit, 'the branch it began at');
  return `branch ${branch} at ${commit.slice(0, 10)}${words ? `; ${words}` : ''}`;
}
