import { z } from 'zod';
import { taskKinds } from '../contract/contract';
import { globProblem } from '../contract/diff-check';

/** In characters: a child reads its goal in every step. */
const goalLengthMax = 8_000;
/** Each check is a part of its contract, which it reads in every step. */
const acceptanceMax = 20;
/** In characters: a shell line or a query of a check. */
const lineLengthMax = 4_000;
/** Longest that one check of a child runs, ms: its parent waits for it. */
const checkTimeoutMaxMs = 600_000;

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'a name is a-z, 0-9, ".", "_" or "-", at most 63');
const line = z.string().min(1).max(lineLengthMax);
const globs = z
  .array(line.refine((text) => globProblem(text) === undefined, 'is no glob that is understood'))
  .min(1)
  .exactOptional();
const json = z.record(z.string(), z.unknown());
const count = z.int().nonnegative().exactOptional();

/** The checks that an agent may set its child. Each is what it is in a task file. */
const criterion = z.discriminatedUnion('check', [
  z.strictObject({
    id,
    check: z.literal('command'),
    run: line,
    timeoutMs: z.int().positive().max(checkTimeoutMaxMs).exactOptional(),
  }),
  z.strictObject({ id, check: z.literal('diff'), only: globs, mustChange: globs, mustNotChange: globs }),
  z.strictObject({ id, check: z.literal('external'), tool: line, args: json.default({}), expect: json }),
  z.strictObject({
    id,
    check: z.literal('query'),
    database: line,
    sql: line.exactOptional(),
    expect: json.exactOptional(),
  }),
  z.strictObject({
    id,
    check: z.literal('citations'),
    minSources: z.int().positive().exactOptional(),
    questions: z.array(line).min(1).exactOptional(),
  }),
  z.strictObject({ id, check: z.literal('audit_event'), type: line }),
]);

/** What `delegate` is called with (R15.1). */
export const delegationSchema = z.strictObject({
  goal: z.string().trim().min(1).max(goalLengthMax),
  kind: z
    .enum(taskKinds)
    .describe(
      'Each kind but dialog needs checks: code_change command, diff or external; data query; research citations; business_action external.',
    ),
  tools: z.array(z.string().min(1)).exactOptional().describe('Tools of yours; all but delegate where left out.'),
  acceptance: z.array(criterion).max(acceptanceMax).exactOptional().describe('What must be true when it is done.'),
  budget: z
    .strictObject({ maxTokens: count, maxCostUsd: z.number().nonnegative().exactOptional(), maxToolCalls: count })
    .exactOptional()
    .describe('Its share of your budget; half of what you have left where left out.'),
});
export type Delegation = z.output<typeof delegationSchema>;
