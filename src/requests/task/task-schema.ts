import { z } from 'zod';
import { budgetSchema } from '../../config/schema';
import { taskKinds } from '../../domain/contract/contract';
import { globProblem } from '../../domain/contract/diff-check';
import { closedObject } from '../../located-yaml/closed-object';
import { namePattern } from '../../protocol/ids';

/** A task file, as a person writes it. The published schema/task.schema.json is made from this. */

const name = z
  .string()
  .regex(namePattern, 'a name is a-z, 0-9, ".", "_" or "-", at most 63, and begins with a letter or digit');
const words = z.array(z.string().min(1)).optional();
const glob = z
  .string()
  .min(1)
  .refine((text) => globProblem(text) === undefined, {
    error: ({ input }) => `is no glob that is understood: ${globProblem(String(input))}`,
  });
const globs = z.array(glob).min(1).optional();

/** What interface documents describe and this version does not do; accepting it would promise a check that nobody makes. */
const laterKinds: readonly string[] = [];
const laterChecks: readonly string[] = [];

/**
 * Below the limit of the whole verification (120 min), which also makes the clean copy and writes the evidence; a check
 * that runs longer belongs in a build system.
 */
const maxCheckTimeoutMs = 6_000_000;

/** Each run of the workflow begins with the names of all checks, of 63 characters at most: together some 7 KB of history. */
const criteriaMax = 100;

const criterion = {
  id: name.describe('Unique within the task.'),
  repair: z.boolean().optional().describe('false: a failure gives the model no feedback and ends the candidate.'),
};
const sealable = {
  ...criterion,
  sealed: z
    .boolean()
    .optional()
    .describe('true: made last and apart; nobody but auditors learns of it, and its failure ends the attempt.'),
};
const command = closedObject({
  ...sealable,
  check: z.literal('command'),
  run: z
    .string()
    .min(1)
    .describe("A shell line that exits 0 in a clean copy of the workspace at the candidate's snapshot."),
  timeoutMs: z.int().positive().max(maxCheckTimeoutMs).optional(),
  files: name.optional().describe('Files of `sealed` in holdfast.yaml, laid over the copy first.'),
});
const diff = closedObject({
  ...sealable,
  check: z.literal('diff'),
  only: globs.describe('Every changed path matches one of these.'),
  mustChange: globs.describe('Each of these matches a changed path.'),
  mustNotChange: globs.describe('None of these matches a changed path.'),
});

const json = z.json();
const external = closedObject({
  ...sealable,
  check: z.literal('external'),
  tool: z.string().min(1).describe('A tool that reads; it need not be one of those offered.'),
  args: z.record(z.string(), json).optional().describe('Its arguments; none where left out.'),
  expect: z
    .record(z.string(), json)
    .refine((expected) => Object.keys(expected).length > 0, 'expects nothing, and so is always met')
    .describe('Values that its answer holds; an object is compared key by key.'),
  withinMs: z
    .int()
    .nonnegative()
    .max(maxCheckTimeoutMs)
    .optional()
    .describe('Asked again until it is so, for this long; once where left out.'),
});

/** A contract is shown to the model in every request. */
const questionsMax = 50;
/** It stands in every list of what waits for a person. */
const questionMaxChars = 1_000;
const query = closedObject({
  ...sealable,
  check: z.literal('query'),
  database: z.string().min(1).describe('A database of holdfast.yaml.'),
  sql: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe(
      "A query that is run twice; in a data task the agent's own is run, and beside it this one where it is given.",
    ),
  expect: z
    .record(z.string(), json)
    .refine((expected) => Object.keys(expected).length > 0, 'expects nothing, and so is always met')
    .optional()
    .describe('Values of its only row; or { rows: [...] }.'),
});
const citations = closedObject({
  ...sealable,
  check: z.literal('citations'),
  minSources: z.int().positive().optional().describe('Different sources that are cited; 1 where left out.'),
  questions: z
    .array(z.string().trim().min(1))
    .min(1)
    .max(questionsMax)
    .optional()
    .describe('Each is answered by a citation or listed among the unknowns.'),
});
const auditEvent = closedObject({
  ...sealable,
  check: z.literal('audit_event'),
  type: z.string().min(1).describe("Type of an event that the attempt's record must have."),
});

const human = closedObject({
  ...criterion,
  check: z.literal('human'),
  question: z.string().trim().min(1).max(questionMaxChars).describe('What the person is asked about the result.'),
  approvers: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Principals by name, or role:NAME; any principal where left out.'),
});

/** Says of a value that only a later version takes that it is one, and of any other which ones there are. */
function choice(what: string, known: readonly string[], later: readonly string[]) {
  return (input: unknown) => {
    if (typeof input === 'string' && later.includes(input)) {
      return `this version has no ${what} "${input}"; it has ${known.join(', ')}`;
    }
    return `expected one of ${known.join(', ')}`;
  };
}
const kindError = choice('tasks of kind', taskKinds, laterKinds);
const checks = ['command', 'diff', 'external', 'query', 'citations', 'audit_event', 'human'];
const checkError = choice('check', checks, laterChecks);

export const taskSchema = closedObject({
  task: name.describe('Business name; unique within the tenant.'),
  kind: z.enum(taskKinds, { error: (issue) => (issue.input === undefined ? undefined : kindError(issue.input)) }),
  goal: z.string().trim().min(1, 'says nothing'),
  constraints: words.describe('Shown to the model.'),
  forbidden: words.describe('Tools, which are then not offered, or rules in words, which are shown.'),
  tools: words.describe('Tools offered beside ask_user, finish, update_plan, read_artifact and recall.'),
  acceptance: z
    .array(
      z.discriminatedUnion('check', [command, diff, external, query, citations, auditEvent, human], {
        error: (issue) => {
          if (issue.input === null || typeof issue.input !== 'object') return 'expected an object with id and check';
          return 'check' in issue.input
            ? checkError(issue.input.check)
            : `check is missing; it is one of ${checks.join(', ')}`;
        },
      }),
    )
    .max(criteriaMax)
    .optional(),
  budget: budgetSchema.optional(),
  model: z.string().min(1).optional().describe('A model of holdfast.yaml; "default" where left out.'),
  input: z.string().min(1).optional().describe('The first message; the goal where left out.'),
  workspace: closedObject({
    git: z
      .string()
      .min(1)
      .describe('A path, relative to this file, or a URL that git clone accepts, without a password or token.'),
    ref: z.string().min(1).optional().describe('Branch, tag or commit; the current commit where left out.'),
    setup: z
      .union([z.literal('auto'), z.array(z.string().min(1))], { error: 'expected "auto" or a list of shell lines' })
      .optional()
      .describe('auto knows npm, pnpm, pip, go and cargo; otherwise shell lines, run in order.'),
  }).optional(),
});
export type TaskText = z.output<typeof taskSchema>;
