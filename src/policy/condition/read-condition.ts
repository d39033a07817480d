import type { ToolPort } from '../../activities/ports';
import { errorCode } from '../../domain/failure/error-code';
import { errorAt, type RuleProblem } from '../rules/rule-problem';
import type { CelEnvironment } from './cel';
import { checkArguments, type TypedEnvironments } from './check-arguments';
import { checkVocabulary } from './check-vocabulary';
import { type Condition, compileCondition, summaryOf } from './condition';
import { factNames, fieldsOf } from './fact-environment';

/** What conditions are read with, made once for all of them. */
export interface ConditionTools {
  readonly tools: ToolPort;
  readonly untyped: CelEnvironment;
  readonly typed: TypedEnvironments;
}

export type ReadCondition =
  | { readonly condition: Condition; readonly problems: readonly RuleProblem[] }
  | { readonly condition: undefined; readonly problems: readonly RuleProblem[] };

/** A condition with all that is wrong in it; none where it cannot be asked of any call. */
export function readCondition(text: string, { tools, untyped, typed }: ConditionTools): ReadCondition {
  const refused = (message: string, at = 0) => ({ condition: undefined, problems: [errorAt(['when'], message, at)] });
  let condition: Condition;
  try {
    condition = compileCondition(untyped, text);
  } catch (error) {
    return refused(`${summaryOf(error)}${hint(error, text)}`, placeOf(error));
  }
  const { type } = untyped.check(text);
  if (type !== 'bool' && type !== 'dyn')
    return refused(`a condition is true or false, and this one is of type ${type}`);
  return { condition, problems: [...checkVocabulary(condition, tools), ...checkArguments(condition, tools, typed)] };
}

/** What would be right, where that can be told. */
function hint(error: unknown, text: string): string {
  switch (errorCode(error)) {
    case 'unterminated_string':
      return '; a text in it does not end: YAML ends a value at " #", so put the whole condition in quotes';
    case 'unexpected_character':
    case 'unexpected_token':
      return '; conditions are written in CEL: == compares, && and || join, ! negates, texts stand in quotes';
    case 'unknown_variable':
      return `; a condition may ask about ${factNames.join(', ')}`;
    case 'no_such_key': {
      const fact = ['contract', 'spend'].find((name) => new RegExp(`\\b${name}\\b`).test(text));
      return fact === undefined ? '' : `; ${fact} has ${fieldsOf(fact)?.join(', ')}`;
    }
    default:
      return '';
  }
}

function placeOf(error: unknown): number {
  const range = error !== null && typeof error === 'object' && 'range' in error ? error.range : undefined;
  const start = range !== null && typeof range === 'object' && 'start' in range ? range.start : undefined;
  return typeof start === 'number' ? start : 0;
}
