import { z } from 'zod';
import { attemptStates, reasons } from '../attempt/states';
import type { Account } from '../budget/account';
import { taskStateSchema } from '../context/task-state';
import { versionsSchema } from './versions';

/** Version of the documents that are written here. */
export const checkpointVersion = 3;

const count = z.number().int().nonnegative();
/**
 * What an attempt stood on at one move (R12.1). The rows of the ledger up to that move are the record; this names their
 * versions, and holds what a row does not keep. Actions are named by their place within the attempt.
 */
export const checkpointSchema = z.strictObject({
  v: z.literal(checkpointVersion),
  /** A pause, an end, a request for an approval, or a claim of an effect, just before it. */
  at: z.enum(['pause', 'end', 'approval', 'effect']),
  /** Null: an older document, which did not say. */
  thread: count.nullable(),
  turn: count,
  step: count,
  state: z.enum(attemptStates),
  reason: z.enum(reasons).nullable(),
  plan: taskStateSchema.nullable(),
  /** Criteria that the newest candidate does not meet, or that nothing has judged. */
  unmet: z.array(z.string()),
  /** The view's version: its projection (0: none), the contract in force, and the highest input that a model was given. */
  context: z.strictObject({ projection: count, contract: count.nullable(), input: count }),
  versions: versionsSchema,
  effects: z.strictObject({
    /** Took effect, the newest first. */
    committed: z.array(z.string()),
    /** There are older ones, which the effect log has. */
    more: z.boolean(),
    /** Sent, and nobody can tell yet. */
    uncertain: z.array(z.strictObject({ action: z.string(), phase: z.string() })),
  }),
  /** What goes on beside the attempt, with the action that began it; null: an older document, which did not say. */
  elsewhere: z
    .strictObject({
      /** `handle`: the other side's name for it. */
      jobs: z.array(z.strictObject({ action: z.string(), tool: z.string(), handle: z.string() })),
      children: z.array(z.strictObject({ action: z.string(), child: z.string() })),
    })
    .nullable(),
  /** What is left of each limit is the difference. */
  budget: z.strictObject({ used: z.custom<Account>(isAccount), limits: z.record(z.string(), count) }),
  base: z.string().nullable(),
  snapshot: z.string().nullable(),
});
export type Checkpoint = Readonly<z.infer<typeof checkpointSchema>>;

/** What every version of the account counts; one that counts something more is read as well. */
function isAccount(value: unknown): boolean {
  const counts = z.object({ turns: count, toolCalls: count, tokens: count, costMicroUsd: count, runtimeMs: count });
  return counts.safeParse(value).success;
}

/** How many committed actions a document names: so that a step costs the same at step 10 and at step 1,000. */
export const committedShownMax = 16;
