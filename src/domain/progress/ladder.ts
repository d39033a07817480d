import type { ModelFacingError } from '../failure/failure';

/**
 * What is done about a call that repeats an earlier one in an unchanged world (R7.3):
 * none → record → warn → replan → end, one rung a repeat.
 */
export const interventions = ['none', 'record', 'warn', 'replan', 'end'] as const;
export type Intervention = (typeof interventions)[number];

/** `repeats`: calls made before with the same fingerprint. */
export function intervention(repeats: number): Intervention {
  return interventions[repeats] ?? 'end';
}

/** What the model is told at a rung; undefined where it is told nothing. */
export function loopError(rung: Intervention, tool: string): ModelFacingError | undefined {
  switch (rung) {
    case 'none':
    case 'record':
      return undefined;
    case 'warn':
      return {
        code: 'LOOP_WARNING',
        message: `This call of ${tool} was made twice before with the same arguments, and nothing has changed since.`,
        retryable: false,
        suggested_action: 'Use what the earlier calls answered, or do something else.',
      };
    case 'replan':
      return {
        code: 'REPLAN_REQUIRED',
        message: `This call of ${tool} was made three times before with the same arguments, and nothing has changed since.`,
        retryable: false,
        suggested_action: 'Call update_plan with another way to the goal. The same call once more ends the attempt.',
      };
    case 'end':
      return {
        code: 'LOOP_DETECTED',
        message: `The call of ${tool} was repeated after a warning and a demand for a new plan.`,
        retryable: false,
        suggested_action: 'The attempt has ended.',
      };
  }
}
