import type { CallAnswers, CallArgs, Compacted, PlannedAction, RecordArgs } from '../../protocol/calls';
import type { Run } from '../run/run';
import { call, type Place } from './call';
import { type Lane, planOf } from './plan';

/** The numbered calls by name: each builds its arguments from the run's state and chooses how it is sent. */

export function prepare(run: Run): Promise<CallAnswers['prepare']> {
  return call(run, 'prepare', {}, planOf({ kind: 'prepare' }));
}

/** `tryNumber` counts tries of the step; `compacted`: what its view has been through. */
export function think(run: Run, tryNumber: number, compacted?: Compacted): Promise<CallAnswers['think']> {
  const { step, turn, model } = run;
  const args = { step, turn, model, try: tryNumber, ...(compacted && { compacted }) };
  return call(run, 'think', args, planOf({ kind: 'think', step, model: profileOf(run) }));
}

export function compact(
  run: Run,
  tryNumber: number,
  how: Pick<CallArgs['compact'], 'mechanical' | 'tight' | 'rejected'>,
): Promise<CallAnswers['compact']> {
  const { step, turn, model } = run;
  const args = { step, turn, model, try: tryNumber, ...how };
  return call(run, 'compact', args, planOf({ kind: 'compact', step, model: profileOf(run), ...how }));
}

function profileOf(run: Run) {
  const profile = run.start.models[run.model];
  if (!profile) throw new Error(`The attempt has no model ${run.model}`);
  return profile;
}

/** `beside`: where it stands among calls that are sent side by side, and the lane of all of them. */
export function act(
  run: Run,
  action: PlannedAction,
  tryNumber: number,
  beside?: { readonly place: Place; readonly lane: Lane },
): Promise<CallAnswers['act']> {
  const { step } = run;
  const { index, hash } = action;
  const plan = planOf({ kind: 'act', step, action });
  const args = { step, index, hash, try: tryNumber };
  return beside ? call(run, 'act', args, { ...plan, lane: beside.lane }, beside.place) : call(run, 'act', args, plan);
}

/** `round` counts the looks at the action's effect. */
export function probe(run: Run, action: PlannedAction, round: number): Promise<CallAnswers['probe']> {
  const { step } = run;
  return call(run, 'probe', { step, index: action.index, round }, planOf({ kind: 'probe', step, action }));
}

export function verify(run: Run, criterion: string): Promise<CallAnswers['verify']> {
  return call(run, 'verify', { candidate: run.candidate, criterion }, planOf({ kind: 'verify', criterion }));
}

export function verifySealed(run: Run, criterion: string): Promise<CallAnswers['verifySealed']> {
  const args = { candidate: run.candidate, criterion };
  return call(run, 'verifySealed', args, planOf({ kind: 'verifySealed', criterion }));
}

export function commit(run: Run): Promise<CallAnswers['commit']> {
  return call(run, 'commit', { candidate: run.candidate }, planOf({ kind: 'commit' }));
}

export function record(run: Run, args: RecordArgs): Promise<CallAnswers['record']> {
  return call(run, 'record', args, planOf({ kind: 'record' }));
}

export function settle(run: Run): Promise<CallAnswers['settle']> {
  return call(run, 'settle', {}, planOf({ kind: 'settle' }));
}
