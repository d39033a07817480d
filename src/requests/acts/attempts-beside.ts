import type { TaskKind } from '../../domain/contract/contract';
import { RequestRefused } from '../request-refused';

/** Each may cost the whole budget and has a worktree of its own; more on one machine keep each other waiting. */
export const attemptsMax = 8;

/** Attempts to begin side by side (R15.1). Throws RequestRefused where the task cannot have so many. */
export function attemptsOf(given: number, { kind }: { readonly kind: TaskKind }): number {
  if (given < 1 || given > attemptsMax)
    throw new RequestRefused('invalid', `--attempts ${given} is not from 1 to ${attemptsMax}.`, 'Ask for fewer.');
  if (given > 1 && kind === 'dialog')
    throw new RequestRefused(
      'invalid',
      'A dialog has no contract to choose one of several attempts by.',
      'Leave out `--attempts`, or give the task another kind and checks.',
    );
  return given;
}
