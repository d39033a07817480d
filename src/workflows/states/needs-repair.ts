import { record } from '../calls/numbered';
import { afterRecord } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** The unmet criteria become feedback to the model, as far as the repair budget goes (R3.4). */
export async function needsRepair(run: Run): Promise<RunState> {
  const answer = await record(run, { at: 'repair', candidate: run.candidate });
  if (answer.kind === 'none') throw new Error('A repair was answered with nothing');
  return answer.kind === 'repair' ? { kind: 'ASSEMBLING_CONTEXT' } : afterRecord(run, answer);
}
