import { z } from 'zod';
import type { Account } from '../budget/account';
import { canonicalHash } from '../canonical';
import type { Checkpoint } from './checkpoint';

/**
 * One checkpoint as what it has other than an earlier whole one: each write outside leaves one, and a row of versions, limits
 * and plan with every step would be a third of all that a step leaves.
 *
 *   I1  A pause, an end and a request are whole; only a claim is short, and only beside a whole one.
 *   I2  What took effect before a claim is not named: the effect log has it by place, and the claim's place is its own.
 */
const shortSchema = z.looseObject({
  v: z.literal([2, 3]),
  /** Move of the whole one. */
  like: z.number().int().nonnegative(),
  step: z.number().int().nonnegative(),
  /** In the order of `counted`. */
  used: z.array(z.number()).optional(),
});
type Short = z.infer<typeof shortSchema>;

/** What an account counts with nearly every step. */
const counted = ['turns', 'toolCalls', 'repairs', 'tokens', 'costMicroUsd', 'runtimeMs'] as const;
const others = ({ turns, toolCalls, repairs, tokens, costMicroUsd, runtimeMs, ...rest }: Account) => rest;

const same = (a: unknown, b: unknown) => canonicalHash([a]) === canonicalHash([b]);

/** The move of the whole checkpoint that a stored document leans on; undefined where it is whole. */
export function leansOn(body: unknown): number | undefined {
  const short = shortSchema.safeParse(body);
  return short.success ? short.data.like : undefined;
}

/** `base`: a whole one of the same attempt, and its move. */
export function shorten(checkpoint: Checkpoint, base: { readonly n: number; readonly checkpoint: Checkpoint }): Short {
  const { v, step, at: _claim, effects, budget, ...rest } = checkpoint;
  const changed = Object.entries(rest).filter(([field, value]) => !same(value, Reflect.get(base.checkpoint, field)));
  return {
    v,
    like: base.n,
    step,
    ...Object.fromEntries(changed),
    ...(effects.uncertain.length > 0 && { effects }), // I2
    ...budgetOf(budget, base.checkpoint.budget),
  };
}

function budgetOf(budget: Checkpoint['budget'], before: Checkpoint['budget']) {
  const differs = !same(budget.limits, before.limits) || !same(others(budget.used), others(before.used));
  return differs ? { budget } : { used: counted.map((name) => budget.used[name]) };
}

/** The whole of it, to be read by the checkpoint's schema; undefined where the base is no whole one. */
export function restore(body: unknown, base: unknown): unknown {
  const short = shortSchema.safeParse(body);
  const whole = z.looseObject({ budget: z.looseObject({ used: z.looseObject({}) }) }).safeParse(base);
  if (!short.success || !whole.success || leansOn(base) !== undefined) return undefined;
  const { like: _like, v: _v, used, ...own } = short.data;
  const counts = used && Object.fromEntries(counted.map((name, i) => [name, used[i]]));
  return {
    ...whole.data,
    at: 'effect',
    effects: { committed: [], more: true, uncertain: [] },
    ...own,
    ...(counts && { budget: { ...whole.data.budget, used: { ...whole.data.budget.used, ...counts } } }),
  };
}
