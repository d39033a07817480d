import type { WireEvent } from '../../../src/protocol/wire-event';

/** What the events of an attempt say, by steps, for a person who looks on. Times are ms since the epoch. */
export interface Timeline {
  readonly steps: readonly Step[];
}
export interface Step {
  readonly step: number;
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  readonly model?: {
    readonly at: number;
    readonly tokensIn: number;
    readonly tokensOut: number;
    readonly costMicroUsd: number;
  };
  readonly actions: readonly Action[];
  readonly notes: readonly Note[];
}
export interface Action {
  readonly index: number;
  readonly tool: string;
  readonly from: number;
  readonly to?: number;
  readonly tries: number;
  readonly ok?: boolean;
  readonly code?: string;
  /** What became of it on the way: asked, approved, denied, sent elsewhere. */
  readonly facts: readonly string[];
}
export interface Note {
  readonly at: number;
  readonly sequence: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'wait';
}

export const emptyTimeline: Timeline = { steps: [] };

/** The timeline with one more event; events come in the order of their sequence. */
export function withEvent(timeline: Timeline, event: WireEvent): Timeline {
  const at = Date.parse(event.timestamp);
  const number = event.step_id === null ? 0 : Number(event.step_id.slice(event.step_id.lastIndexOf('/s') + 2));
  const turn = Number(event.turn_id.slice(event.turn_id.lastIndexOf('/t') + 2));
  const last = timeline.steps.at(-1);
  const before: Step = last?.step === number ? last : { step: number, turn, from: at, to: at, actions: [], notes: [] };
  const step = { ...inStep(before, event, at), to: at };
  const steps = last?.step === number ? [...timeline.steps.slice(0, -1), step] : [...timeline.steps, step];
  return { steps };
}

type Payload = Readonly<Record<string, unknown>>;

function inStep(step: Step, event: WireEvent, at: number): Step {
  const payload = event.payload as Payload;
  const index = indexOf(payload);
  switch (event.event_type) {
    case 'model_answered':
      return {
        ...step,
        model: {
          at,
          tokensIn: Number(payload['tokensIn']),
          tokensOut: Number(payload['tokensOut']),
          costMicroUsd: Number(payload['costMicroUsd']),
        },
      };
    case 'action_started':
      return withAction(
        step,
        index,
        { tool: String(payload['tool']), from: at, tries: Number(payload['try'] ?? 1) },
        at,
      );
    case 'action_finished':
      return withAction(
        step,
        index,
        { tool: String(payload['tool']), to: at, ok: payload['ok'] === true, ...text('code', payload['code']) },
        at,
      );
    default: {
      const fact = factOf(event.event_type, payload);
      if (fact !== undefined && index >= 0) return withFact(step, index, payload, fact, at);
      const note = noteOf(event.event_type, payload);
      return note ? { ...step, notes: [...step.notes, { ...note, at, sequence: event.sequence }] } : step;
    }
  }
}

const text = (name: 'code', value: unknown) => (typeof value === 'string' ? { [name]: value } : {});

/** Of an action's own number, or of its id; -1 where the event is about none. */
function indexOf(payload: Payload): number {
  if (typeof payload['index'] === 'number') return payload['index'];
  const [, index] = /\.a(\d+)$/.exec(String(payload['action'] ?? '')) ?? [];
  return index === undefined ? -1 : Number(index);
}

function withAction(step: Step, index: number, change: Partial<Action>, at: number): Step {
  const known = step.actions.find((action) => action.index === index);
  const action: Action = { ...(known ?? { index, tool: '', from: at, tries: 1, facts: [] }), ...change };
  // A try that is made again began with the first one.
  const kept = known?.from === undefined ? action : { ...action, from: known.from };
  return {
    ...step,
    actions: known ? step.actions.map((one) => (one === known ? kept : one)) : [...step.actions, kept],
  };
}

function withFact(step: Step, index: number, payload: Payload, fact: string, at: number): Step {
  const known = step.actions.find((action) => action.index === index);
  const tool = typeof payload['tool'] === 'string' ? payload['tool'] : (known?.tool ?? '');
  return withAction(step, index, { tool, facts: [...(known?.facts ?? []), fact] }, at);
}

function factOf(type: WireEvent['event_type'], payload: Payload): string | undefined {
  const by = payload['by'];
  switch (type) {
    case 'approval_requested':
      return payload['rule'] === undefined ? 'asked for approval' : `asked for approval by rule ${payload['rule']}`;
    case 'approval_answered':
      return `${payload['answer'] === 'approve' ? 'approved' : 'denied'} by ${by}`;
    case 'approval_closed':
      return `the request ${payload['as'] === 'expired' ? 'expired' : 'is void'}`;
    case 'action_denied':
      return `not let through: ${payload['code']}`;
    case 'tool_failed':
      return `failed: ${payload['code']}`;
    case 'tool_retry':
      return `tried again after ${payload['code']}`;
    case 'effect_unknown':
      return 'nobody can tell whether it happened';
    case 'effect_settled':
      return `${payload['as'] === 'committed' ? 'it happened' : 'it did not happen'}, says ${payload['name'] ?? by}`;
    case 'effect_reused':
      return 'known outcome returned; nothing was sent';
    case 'target_busy':
      return 'another effect on the target is open';
    case 'job_submitted':
      return `goes on elsewhere as ${payload['handle'] ?? 'a job'}`;
    case 'job_ended':
      return `the job ${payload['as']}`;
    case 'child_started':
      return `delegated to ${payload['child']}`;
    case 'child_ended':
      return `${payload['child']} ended ${payload['state']}`;
    case 'loop_warning':
      return `repeat ${payload['repeats']}: ${payload['intervention']}`;
    default:
      return undefined;
  }
}

function noteOf(type: WireEvent['event_type'], payload: Payload): Pick<Note, 'text' | 'tone'> | undefined {
  switch (type) {
    case 'paused':
      return { text: `waits: ${words(payload['reason'])}`, tone: 'wait' };
    case 'ended':
      return {
        text: `${words(payload['state'])}: ${words(payload['reason'])}`,
        tone: payload['state'] === 'COMPLETED' ? 'good' : 'bad',
      };
    case 'message_taken':
      return { text: `heard: ${payload['kind']}`, tone: 'plain' };
    case 'message_rejected':
      return { text: `${payload['kind']} changed nothing: ${payload['why']}`, tone: 'bad' };
    case 'criterion_checked':
      return {
        text: `${payload['criterion']} is ${payload['met'] === true ? 'met' : 'not met'}`,
        tone: payload['met'] === true ? 'good' : 'bad',
      };
    case 'committed':
      return { text: `put on the branch ${payload['branch']}`, tone: 'good' };
    case 'commit_failed':
    case 'model_failed':
    case 'workspace_failed':
      return { text: `${type.replace('_', ' ')}: ${payload['code']}`, tone: 'bad' };
    case 'budget_exceeded':
      return { text: `the limit ${payload['limit']} is used up`, tone: 'wait' };
    case 'workspace_ready':
      return { text: 'the workspace is ready', tone: 'plain' };
    case 'context_compacted':
      return { text: `the conversation was compacted up to step ${payload['uptoStep']}`, tone: 'plain' };
    case 'goal_revised':
      return { text: 'the goal was revised', tone: 'plain' };
    case 'limits_raised':
      return { text: `limits raised by ${payload['by']}`, tone: 'plain' };
    case 'version_changed':
      return { text: `another version of ${payload['name'] ?? payload['part']}: ${payload['handled']}`, tone: 'plain' };
    case 'cancel_settled':
      return { text: 'the cancel is settled', tone: 'plain' };
    case 'repair_requested':
      return { text: 'to be repaired', tone: 'bad' };
    default:
      return undefined;
  }
}

/** Names of states and reasons, as people read them. */
const words = (name: unknown): string => String(name).toLowerCase().replaceAll('_', ' ');
