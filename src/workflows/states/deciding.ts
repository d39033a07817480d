import type { TaskKind } from '../../domain/contract/contract';
import type { Stop } from '../../protocol/calls';
import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';

type Deciding = Extract<ActiveRunState, { kind: 'DECIDING' }>;

/** Actions go first; then the stop says under its true name how the turn goes on (R3.1, R3.2). */
export function deciding(run: Run, { actions, stop }: Deciding): RunState {
  return actions.length > 0 ? { kind: 'EXECUTING_TOOL', batch: { actions, stop } } : afterStop(stop, run.start.kind);
}

const nextStep: RunState = { kind: 'ASSEMBLING_CONTEXT' };
const candidate: RunState = { kind: 'VERIFYING' };

function afterStop(stop: Stop, kind: TaskKind): RunState {
  switch (stop.kind) {
    case 'actions':
    case 'truncated':
      return nextStep;
    case 'text':
      return isAnswer[kind] ? candidate : { kind: 'WAITING_FOR_USER', reason: 'turn_stopped' };
    case 'finish':
      return stop.status === 'done' ? candidate : { kind: 'WAITING_FOR_USER', reason: stop.status };
    case 'ask':
      return { kind: 'WAITING_FOR_USER', reason: 'waiting_for_user' };
    case 'compensation':
      return candidate;
    case 'refusal':
      return { kind: 'WAITING_FOR_USER', reason: 'refused' };
  }
}

/** Whether a text without a call is the task's result, or just the model falling silent (R3.3). */
const isAnswer: Record<TaskKind, boolean> = {
  dialog: true,
  code_change: false,
  data: false,
  business_action: false,
  research: false,
};
