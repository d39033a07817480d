import type { AttemptState } from '../domain/attempt/states';
import type { EffectPhase } from '../domain/effect/effect';
import { paint } from './output';

export function stateWord(state: AttemptState): string {
  switch (state) {
    case 'COMPLETED':
      return paint('green', state);
    case 'FAILED':
      return paint('red', state);
    case 'CANCELLED':
      return paint('magenta', state);
    case 'WAITING_FOR_USER':
    case 'WAITING_FOR_APPROVAL':
    case 'WAITING_FOR_EFFECT':
    case 'RECONCILING':
    case 'SUSPENDED':
      return paint('yellow', state);
    default:
      return paint('cyan', state);
  }
}

export function phaseWord(phase: EffectPhase): string {
  switch (phase) {
    case 'COMMITTED':
      return paint('green', phase);
    case 'UNKNOWN':
    case 'COMPENSATION_FAILED':
      return paint('red', phase);
    case 'CLAIMED':
    case 'SENT':
      return paint('yellow', phase);
    case 'NOT_COMMITTED':
    case 'COMPENSATED':
      return phase;
  }
}
