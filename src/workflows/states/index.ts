import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';
import { assemblingContext } from './assembling-context';
import { cancelling } from './cancelling';
import { candidateVerified } from './candidate-verified';
import { committing } from './committing';
import { compacting } from './compacting';
import { created } from './created';
import { deciding } from './deciding';
import { executingTool } from './executing-tool';
import { needsRepair } from './needs-repair';
import { paused } from './paused';
import { reconciling } from './reconciling';
import { verifying } from './verifying';
import { waitingForApproval } from './waiting-for-approval';
import { waitingForEffect } from './waiting-for-effect';
import { waitingForModel } from './waiting-for-model';

/**
 * Does what a state is for and returns the next one. Hands promises on and makes none: in a workflow each costs some
 * 30 µs, because the SDK notes the stack that made it.
 */
export function nextState(run: Run, state: ActiveRunState): RunState | Promise<RunState> {
  switch (state.kind) {
    case 'CREATED':
      return created(run);
    case 'ASSEMBLING_CONTEXT':
      return assemblingContext(run);
    case 'WAITING_FOR_MODEL':
      return waitingForModel(run, state);
    case 'COMPACTING':
      return compacting(run, state);
    case 'DECIDING':
      return deciding(run, state);
    case 'EXECUTING_TOOL':
      return executingTool(run, state);
    case 'VERIFYING':
      return verifying(run);
    case 'NEEDS_REPAIR':
      return needsRepair(run);
    case 'CANDIDATE_VERIFIED':
      return candidateVerified(run);
    case 'COMMITTING':
      return committing(run);
    case 'CANCELLING':
      return cancelling(run, state);
    case 'WAITING_FOR_APPROVAL':
      return waitingForApproval(run, state);
    case 'WAITING_FOR_EFFECT':
      return waitingForEffect(run, state);
    case 'RECONCILING':
      return reconciling(run, state);
    case 'WAITING_FOR_USER':
    case 'SUSPENDED':
      return paused(run, state);
  }
}
