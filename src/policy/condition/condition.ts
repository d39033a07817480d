import { errorCode } from '../../domain/failure/error-code';
import type { Verdict } from '../../domain/policy/decide';
import type { PolicyFacts } from '../../domain/policy/policy';
import { type CelEnvironment, type Node, serialize } from './cel';

/** A condition that can be asked of a call. */
export interface Condition {
  /** As the file has it. */
  readonly text: string;
  /** The same for the same condition, however it is spaced. */
  readonly canonical: string;
  readonly root: Node;
  /**
   * Never throws. `missing`: the call does not have what would decide it, so the condition is not true; what follows is the rule's
   * to say. Anything else that cannot be judged has failed.
   */
  judge(facts: PolicyFacts): ConditionVerdict;
}
export type ConditionVerdict = Verdict | { readonly kind: 'no_match'; readonly missing: string };

/** Throws the CEL package's ParseError or TypeError. */
export function compileCondition(environment: CelEnvironment, text: string): Condition {
  const program = environment.parse(text);
  const checked = program.check();
  if (checked.error !== undefined) throw checked.error;
  return {
    text,
    canonical: serialize(program.ast),
    root: program.ast,
    judge: (facts) => {
      try {
        const value: unknown = program({ ...facts });
        if (typeof value === 'boolean') return value ? { kind: 'match' } : { kind: 'no_match' };
        return { kind: 'failed', why: `it is neither true nor false but a ${typeof value}` };
      } catch (error) {
        return ofError(error);
      }
    },
  };
}

function ofError(error: unknown): ConditionVerdict {
  const why = summaryOf(error);
  return isMissing(error) ? { kind: 'no_match', missing: why } : { kind: 'failed', why };
}

/** Whether an evaluation ended because the call does not have what was asked for. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'no_such_key' || code === 'index_out_of_bounds';
}

/** The first line of what the CEL package says: after it comes a drawing of the place. */
export function summaryOf(error: unknown): string {
  const text =
    error !== null && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  return text.split('\n')[0] ?? text;
}
