import type { ModelFacingError } from '../failure/failure';
import { type Intervention, interventions } from './intervention';
import { stagnationAt } from './stagnation';

/** What a call is stopped or warned for: a repeat of itself, of itself in other words, or many actions with nothing new. */
export type LoopKind = 'repeated' | 'reworded' | 'nothing_new';

export interface LoopFacts {
  /** Calls of earlier steps, one a step, in a row with this fingerprint that answered the same. */
  readonly repeats: number;
  /** The same for calls that differ from this one in words alone. */
  readonly reworded: number;
  /** The same for this very call, whatever step of the plan it was made in. */
  readonly restepped: number;
  /** What the actions before this one weigh that brought nothing new (stagnation.ts). */
  readonly stagnation: number;
  /** Polls in a row with the same answer that the tool says are honest; absent where it is no polling tool. */
  readonly pollingLimit?: number;
}
export interface Judgement {
  readonly rung: Intervention;
  readonly kind: LoopKind;
  /** Calls of that kind that went before this one. */
  readonly repeats: number;
}

/**
 * What is done about a call that gets the attempt nowhere (R7.3): none → record → warn → replan → end.
 *
 *   I1  A call that repeats an earlier one, in an unchanged world and with the same answers, climbs one rung a repeat.
 *   I2  Actions that bring nothing new climb too, more slowly, whatever is called (R7.2).
 *   I3  The highest of the rungs counts.
 *   I4  Another step of the plan may look once more at what an earlier one saw (R7.1): of repeats that only the step tells from
 *       each other the first is not noted. From the second on they climb like any other, for the model names the steps.
 *   I5  A rung counts once a step: the facts are those of earlier steps, so the end comes only after a demand for a new plan
 *       that the model was shown (line.ts, stagnation.ts).
 */
export function judgeCall({ repeats, reworded, restepped, stagnation, pollingLimit = 0 }: LoopFacts): Judgement {
  const inStep = Math.max(repeats, reworded);
  const first = rungOf(inStep - pollingLimit); // I1
  const renamed = rungOf(restepped - pollingLimit);
  const hidden = renamed !== 'record' && isHigher(renamed, first); // I4
  const [rung, alike] = hidden ? [renamed, restepped] : [first, inStep];
  const stagnant = pollingLimit > 0 ? 'none' : stagnationAt(stagnation); // I2
  if (isHigher(stagnant, rung)) return { rung: stagnant, kind: 'nothing_new', repeats: alike }; // I3
  return { rung, kind: !hidden && reworded > repeats ? 'reworded' : 'repeated', repeats: alike };
}

const rungOf = (repeats: number): Intervention => interventions[Math.max(0, repeats)] ?? 'end';
const isHigher = (one: Intervention, other: Intervention) => interventions.indexOf(one) > interventions.indexOf(other);

/** What the model is told at a rung; undefined where it is told nothing. */
export function loopError({ rung, kind, repeats }: Judgement, tool: string): ModelFacingError | undefined {
  const what = whatHappened(kind, tool, repeats);
  switch (rung) {
    case 'none':
    case 'record':
      return undefined;
    case 'warn':
      return {
        code: 'LOOP_WARNING',
        message: what,
        retryable: false,
        suggested_action: 'Use what the earlier calls answered, or do something else.',
      };
    case 'replan':
      return {
        code: 'REPLAN_REQUIRED',
        message: `${what} This one was not run.`,
        retryable: false,
        suggested_action: 'Call update_plan with another way to the goal. To go on like this ends the attempt.',
      };
    case 'end':
      return {
        code: 'LOOP_DETECTED',
        message: `${what} It went on after a warning and a demand for a new plan.`,
        retryable: false,
        suggested_action: 'The attempt has ended.',
      };
  }
}

function whatHappened(kind: LoopKind, tool: string, repeats: number): string {
  const times = repeats === 1 ? 'once' : `${repeats} times`;
  switch (kind) {
    case 'repeated':
      return `This call of ${tool} was made ${times} before with the same arguments, and nothing has changed since.`;
    case 'reworded':
      return `This call of ${tool} was made ${times} before in other words, and the answer was the same each time.`;
    case 'nothing_new':
      return 'The last actions brought nothing that was not known before.';
  }
}
