import type { Account, LimitName, Limits } from './account';
import { limitTable, limitWritten, toUnits, writtenLimits } from './limit-table';
import { usedOf } from './used-of';

/** Limits that a person asks for when an attempt goes on, by the names and in the units of a task file (R6.3). */
export type Raise = Readonly<Record<string, unknown>>;

export type Raised =
  /** `raised`: the limits that went up, in the units of `Limits`. */
  | { readonly ok: true; readonly limits: Limits; readonly raised: Readonly<Partial<Record<LimitName, number>>> }
  | { readonly ok: false; readonly why: string };

/**
 * Raises limits, all that were asked for or none: a person who mistypes one should not find half of it done. What was billed
 * may have passed a limit, and one that is raised to less than that would let nothing go on.
 */
export function raiseLimits(limits: Limits, account: Account, raise: Raise): Raised {
  const used = usedOf(account);
  const raised: Partial<Record<LimitName, number>> = {};
  for (const [name, value] of Object.entries(raise)) {
    if (value === undefined) continue;
    const limit = limitWritten(name);
    if (!limit) return no(`There is no limit ${name}; the limits are ${writtenLimits.join(', ')}.`);
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      return no(`${name} must be a number from 0.`);
    const amount = toUnits(limit, value);
    const { units } = limitTable[limit];
    if (!Number.isSafeInteger(amount)) return no(`${name} is too large.`);
    const present = limits[limit];
    if (amount < present) return no(`${name} is ${present / units} now; a limit can only be raised.`);
    if (amount > present && amount < used[limit])
      return no(`${name} was passed: ${used[limit] / units} is used already. Raise it to more than that.`);
    if (amount > present) raised[limit] = amount;
  }
  return { ok: true, limits: { ...limits, ...raised }, raised };
}

const no = (why: string): Raised => ({ ok: false, why });
