import type { AttemptInput, StartSnapshot } from '../../../src/protocol/attempt';
import type { CallAnswers, PlannedAction, Stop } from '../../../src/protocol/calls';

export const start: StartSnapshot = {
  kind: 'dialog',
  hasWorkspace: false,
  criteria: [],
  models: [{ name: 'main', quick: false, timeoutMs: 60_000 }],
  flow: 1,
  stepsPerRun: 100,
  searchAttributes: false,
};

export const codeChange: Partial<StartSnapshot> = {
  kind: 'code_change',
  hasWorkspace: true,
  criteria: ['diff', 'tests'],
};

export function input(change: Partial<StartSnapshot> = {}, id = 'task/1'): AttemptInput {
  return { v: 1, ref: { tenant: 'default', id, key: 1 }, start: { ...start, ...change } };
}

export const action = (index: number, change: Partial<PlannedAction> = {}): PlannedAction => ({
  index,
  tool: 'read_file',
  hash: `hash${index}`,
  quick: false,
  timeoutMs: 1_000,
  ...change,
});

export const proposal = (stop: Stop, ...actions: PlannedAction[]): CallAnswers['think'] => ({
  kind: 'proposal',
  stop,
  actions,
});
export const done: Stop = { kind: 'finish', status: 'done' };
