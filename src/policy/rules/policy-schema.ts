import { z } from 'zod';
import { approverPattern } from '../../domain/policy/names';
import { noMatchRule } from '../../domain/policy/no-match';
import { closedObject } from '../../located-yaml/closed-object';
import { namePattern } from '../../protocol/ids';
import { durationMs, durationPattern } from './duration';

/** A policy file, as a person writes it. The published schema/policy.schema.json is made from this. */

/** Beyond a month, the world that an approval was given in is gone. */
const approvalExpiryMaxMs = 30 * 86_400_000;
/** No tool runs for longer than a day. */
const timeLimitMaxMs = 86_400_000;

/** Milliseconds, written as a number with a unit. */
const duration = (maxMs: number, max: string) =>
  z
    .string()
    .regex(durationPattern, 'expected a whole number with a unit, such as 90s, 30m, 24h or 7d')
    .refine((text) => !(durationMs(text) > maxMs), `at most ${max}`)
    .transform(durationMs);
const expiresIn = duration(approvalExpiryMaxMs, '30d').optional().describe('24h where left out.');

const approver = z
  .string()
  .regex(approverPattern, 'expected the name of a principal, or role:NAME')
  .describe('A principal of holdfast.yaml, or role:NAME for everybody who has that role.');
const approvers = z.array(approver).min(1, 'names nobody; leave it out where anybody may answer');
const approvals = z
  .union([z.literal(1), z.literal(2)], { error: 'expected 1 or 2' })
  .optional()
  .describe('People who must say yes; 1 where left out.');

const constraintKinds = {
  pathPrefix: z.string().min(1).optional().describe('Only paths at or below this folder of the workspace.'),
  hosts: z.array(z.string().min(1)).min(1).optional().describe('Only these hosts; *.example.com for all below it.'),
  maxAmount: closedObject({ argument: z.string().min(1), max: z.number() })
    .optional()
    .describe('The named argument is a number of at most max.'),
  readOnlyRole: z.literal(true).optional().describe("Under the tool's read-only credentials."),
  timeLimit: duration(timeLimitMaxMs, '1d').optional().describe('Longest that the tool may run.'),
  callsPerHour: z.int().positive().optional().describe('Calls of the tool within an hour.'),
};
const constraint = closedObject(constraintKinds).refine((written) => Object.keys(written).length === 1, {
  error: `expected exactly one of ${Object.keys(constraintKinds).join(', ')}; further ones are items of their own`,
});
export type ConstraintText = z.output<typeof constraint>;

/** What YAML makes of a condition that it took for something else. */
const whenError = 'expected a condition as text; put it in quotes where it begins with a sign or holds a comma';

const common = {
  id: z
    .string()
    .regex(namePattern, 'an id is a-z, 0-9, ".", "_" or "-"')
    .refine((id) => id !== noMatchRule, `"${noMatchRule}" stands for no rule at all; choose another id`)
    .describe('Stands in every decision that the rule makes; unique in the whole policy.'),
  when: z
    .string({ error: (issue) => (issue.input === undefined ? undefined : whenError) })
    .refine((text) => text.trim() !== '', whenError)
    .optional()
    .describe('A CEL condition; left out: every call.'),
  except: z.array(z.string()).min(1).optional().describe('Tools that the rule does not speak of.'),
  reason: z.string().min(1).optional().describe('Why the rule is there; a denial says it to the model.'),
};

const allow = closedObject({ ...common, decision: z.literal('allow') });
const constrainedAllow = closedObject({
  ...common,
  decision: z.literal('constrained_allow'),
  constraints: z
    .array(constraint)
    .min(1)
    .describe('A call that breaks one is denied, and one that nobody can enforce too.'),
});
const requireApproval = closedObject({
  ...common,
  decision: z.literal('require_approval'),
  approvers: approvers.optional(),
  approvals,
  expiresIn,
  channel: z
    .enum(['asserted', 'authenticated'])
    .optional()
    .describe(
      'authenticated: only an answer through the gateway counts. The default depends on approvers and approvals.',
    ),
});
const deny = closedObject({
  ...common,
  decision: z.literal('deny'),
  escalation: closedObject({ approvers, approvals, expiresIn })
    .optional()
    .describe('The same call asked for again is put before these people.'),
});

const decisions = ['allow', 'constrained_allow', 'require_approval', 'deny'];

const rule = z.discriminatedUnion('decision', [allow, constrainedAllow, requireApproval, deny], {
  error: ({ input }) => {
    if (input === null || typeof input !== 'object') return 'expected a rule: an object with id, when and decision';
    const known = `it is one of ${decisions.join(', ')}`;
    return 'decision' in input
      ? `decision is ${JSON.stringify(input.decision)}; ${known}`
      : `decision is missing; ${known}`;
  },
});
export type RuleText = z.output<typeof rule>;

export const policySchema = closedObject({
  rules: z.array(rule).describe('In order: the first that matches decides.'),
});
