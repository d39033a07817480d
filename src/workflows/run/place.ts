import type { CarriedPause, ResumePoint } from '../../protocol/attempt';
import { isPaused, isWait, type Place, type PlacedRunState, type RunState } from './run-state';

/** The state that a place stands for. */
export function stateAt({ state, ...rest }: Place): PlacedRunState {
  // A union is not followed through a spread; the two differ in nothing but the name of the discriminator.
  return { kind: state, ...rest } as PlacedRunState;
}

/** The pause that a run is cut in; undefined where it is cut between two steps. */
export function pauseOf(state: RunState): CarriedPause | undefined {
  return isPaused(state) || isWait(state) || state.kind === 'CANCELLING' ? (placeOf(state) as CarriedPause) : undefined;
}

/** Where an attempt goes on that is suspended in this state; undefined: at the next step, which asks the model anew. */
export function resumePointOf(state: RunState): ResumePoint | undefined {
  switch (state.kind) {
    case 'EXECUTING_TOOL':
    case 'WAITING_FOR_APPROVAL':
    case 'WAITING_FOR_EFFECT':
    case 'RECONCILING':
    case 'WAITING_FOR_USER':
    case 'VERIFYING':
    case 'NEEDS_REPAIR':
    case 'COMMITTING':
      return placeOf(state) as ResumePoint;
    default:
      return undefined;
  }
}

function placeOf({ kind, ...rest }: PlacedRunState): Place {
  return { state: kind, ...rest } as Place; // as above
}
