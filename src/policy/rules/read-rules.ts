import type { ToolPort } from '../../activities/ports';
import type { PolicyFacts, Principal } from '../../domain/policy/policy';
import { type LocatedDocument, readLocated } from '../../located-yaml/located-document';
import { checkRules } from '../checks/check-rules';
import { untypedArguments } from '../condition/argument-environment';
import { typedEnvironments } from '../condition/check-arguments';
import { mightMatch } from '../condition/might-match';
import { type ConditionTools, readCondition } from '../condition/read-condition';
import { decisionOf, isRelaxed } from './decision-of';
import type { PlacedRule } from './placed-rule';
import { inOrder, type PolicyProblem, problemsOfError } from './policy-problem';
import { policySchema, type RuleText } from './policy-schema';
import type { Rule } from './rule';
import { errorAt, type RuleProblem } from './rule-problem';
import { shippedPolicy } from './shipped-policy';

export interface PolicySources {
  /** Absolute, in order; the shipped policy where left out. */
  readonly files?: readonly string[];
  readonly principals: readonly Principal[];
  /** Every tool of the installation: conditions are checked against their arguments. */
  readonly tools: ToolPort;
  /** One person's own installation, where nobody signs in: answers are taken as they come. */
  readonly singleUser: boolean;
}
export interface ReadRules {
  /** In the order of the policy; without those that have an error. */
  readonly rules: readonly Rule[];
  readonly problems: readonly PolicyProblem[];
}

/** Reads all files and says all that is wrong; throws for nothing that stands in them. */
export function readRules({ files = [shippedPolicy], principals, tools, singleUser }: PolicySources): ReadRules {
  const problems: PolicyProblem[] = [];
  const placed: PlacedRule[] = [];
  const conditions = { tools, untyped: untypedArguments(), typed: typedEnvironments() };
  for (const file of files) {
    const document = documentOf(file, problems);
    for (const [index, text] of (document?.value.rules ?? []).entries()) {
      const place = placing(document, index);
      const { rule, found } = readRule(text, place, singleUser, conditions);
      problems.push(...found.map(place));
      if (rule !== undefined) placed.push({ rule, place });
    }
  }
  problems.push(...checkRules(placed, { principals, tools, environment: conditions.untyped }));
  return { rules: placed.map(({ rule }) => rule), problems: inOrder(problems, files) };
}

type PolicyDocument = LocatedDocument<{ readonly rules: readonly RuleText[] }>;

function documentOf(file: string, problems: PolicyProblem[]): PolicyDocument | undefined {
  try {
    return readLocated(file, policySchema);
  } catch (error) {
    problems.push(...problemsOfError(error));
    return undefined;
  }
}

function placing(document: PolicyDocument | undefined, index: number): PlacedRule['place'] {
  return ({ severity, path = [], message, within }) => ({
    severity,
    ...(document?.problem(['rules', index, ...path], message, within) ?? { message }),
  });
}

function readRule(
  text: RuleText,
  place: PlacedRule['place'],
  singleUser: boolean,
  conditions: ConditionTools,
): { rule?: Rule; found: readonly RuleProblem[] } {
  const { id, when, except = [], reason } = text;
  const read = when === undefined ? { condition: undefined, problems: [] } : readCondition(when, conditions);
  const strangers = except.flatMap((name, index) =>
    conditions.tools.get(name) === undefined
      ? [errorAt(['except', index], `no tool is named "${name}"; there are ${conditions.tools.names().join(', ')}`)]
      : [],
  );
  const found = [...read.problems, ...strangers];
  const { at } = place(errorAt(['id'], ''));
  if (at === undefined || found.some(({ severity }) => severity === 'error')) return { found };
  const rule = {
    id,
    at,
    condition: read.condition,
    mightMatch: (facts: PolicyFacts) => {
      const tool = conditions.tools.get(facts.tool);
      const call = { facts, schema: tool?.schema, environment: conditions.untyped };
      return read.condition !== undefined && mightMatch(read.condition.root, call);
    },
    except,
    reason,
    decision: decisionOf(text, singleUser),
    relaxed: isRelaxed(text, singleUser),
  };
  return { rule, found };
}
