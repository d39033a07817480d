import type { ExceededLimit, LimitName } from '../../domain/budget/account';
import { leastLimit } from '../../domain/budget/least-limit';
import { type LimitRow, limitRow, limitTable, tenantLimit } from '../../domain/budget/limit-table';
import type { NearestLimit } from '../../domain/budget/nearest-limit';
import type { LimitPassed } from '../../ledger/queries/inbox';
import { duration, money } from './words';

export const isTenantLimit = (limit: ExceededLimit): boolean => limit === tenantLimit;

const amounts: Readonly<Record<LimitRow['measure'], (value: number) => string>> = {
  count: (value) => value.toLocaleString('en-US'),
  time: duration,
  money,
};
const amountsOf = (limit: ExceededLimit) => amounts[limitRow(limit).measure];

/**
 * `maxCostUsd exceeded: USD 2.0100 of USD 2.0000`; where it is not used up, but the next call may need more than is left:
 * `maxTokens reached: 13,000 of 100,000 used, and the next call may take 90,000`.
 */
export function exceededWords({ limit, used, max, ask, times }: LimitPassed): string {
  const amount = amountsOf(limit);
  const name =
    times === undefined ? limitName(limit) : `${times} times ${limitName(limit)} for all attempts of the task`;
  if (ask === undefined || used >= max) return `${name} exceeded: ${amount(used)} of ${amount(max)}`;
  const next = `the next call may take ${amount(ask)}`;
  return `${name} reached: ${amount(used)} of ${amount(max)} used, and ${next}`;
}

/** `maxTokens=103000`: the smallest value that lets the attempt go on, to be written behind `--budget`; undefined where nobody noted it. */
export function leastWritten({ limit, used, ask, times }: LimitPassed): string | undefined {
  return ask === undefined
    ? undefined
    : `${limitName(limit)}=${plain(leastLimit({ limit, used, ask, ...(times !== undefined && { times }) }))}`;
}

/** With what lets it go on. */
export function exceededLine(passed: LimitPassed): string {
  const least = leastWritten(passed);
  return [exceededWords(passed), ...(least === undefined ? [] : [`goes on from ${least}`])].join(' · ');
}

/** `maxToolCalls: 40 of 50 used`. */
export function usedWords({ limit, used, max }: Pick<NearestLimit, 'limit' | 'used' | 'max'>): string {
  const amount = amountsOf(limit);
  return `${limitName(limit)}: ${amount(used)} of ${amount(max)} used`;
}

/** As the task file has it under `budget`. */
export const limitName = (limit: ExceededLimit): string => limitRow(limit).written;

/** `maxCostUsd to USD 5.0000`, of each. */
export function raisedWords(limits: Readonly<Partial<Record<LimitName, number>>>): readonly string[] {
  const names = Object.keys(limitTable) as LimitName[];
  return names.flatMap((limit) => {
    const value = limits[limit];
    return value === undefined ? [] : [`${limitName(limit)} to ${amountsOf(limit)(value)}`];
  });
}

/** Digits of a millionth of a dollar; a smaller share of a limit is never counted. */
const shownDigitsMax = 6;
/** A number that a shell line can hold: no separators, no exponent. */
const plain = (value: number) => value.toFixed(shownDigitsMax).replace(/\.?0+$/, '');
