import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';
import { assemblingContext } from './assembling-context';
import { cancelling } from './cancelling';
import { candidateVerified } from './candidate-verified';
import { committing } from './committing';
import { created } from './created';
import { deciding } from './deciding';
import { executingTool } from './executing-tool';
import { needsRepair } from './needs-repair';
import { paused } from './paused';
import { verifying } from './verifying';
import { waitingForModel } from './waiting-for-model';

/** Does what a state is for and returns the next one. */
export async function nextState(run: Run, state: ActiveRunState): Promise<RunState> {
  switch (state.kind) {
    case 'CREATED':
      return await created(run);
    case 'ASSEMBLING_CONTEXT':
      return await assemblingContext(run);
    case 'WAITING_FOR_MODEL':
      return await waitingForModel(run);
    case 'DECIDING':
      return deciding(run, state);
    case 'EXECUTING_TOOL':
      return await executingTool(run, state);
    case 'VERIFYING':
      return await verifying(run);
    case 'NEEDS_REPAIR':
      return await needsRepair(run);
    case 'CANDIDATE_VERIFIED':
      return await candidateVerified(run);
    case 'COMMITTING':
      return await committing(run);
    case 'CANCELLING':
      return await cancelling(run);
    case 'WAITING_FOR_USER':
    case 'SUSPENDED':
      return await paused(run, state);
  }
}
