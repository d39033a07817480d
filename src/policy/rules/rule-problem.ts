/** What is wrong or doubtful in a rule: where in it, and where in the text that stands there. */
export interface RuleProblem {
  readonly severity: Severity;
  /** Keys and positions below the rule; its beginning where left out. */
  readonly path?: readonly PropertyKey[];
  readonly message: string;
  /** Character of the text at `path`. */
  readonly within?: number;
}
/** `error`: the policy is refused. `warning`: it holds, and probably not as it was meant. */
export type Severity = 'error' | 'warning';

export function errorAt(path: readonly PropertyKey[], message: string, within = 0): RuleProblem {
  return { severity: 'error', path, message, within };
}
export function warningAt(path: readonly PropertyKey[], message: string, within = 0): RuleProblem {
  return { severity: 'warning', path, message, within };
}
