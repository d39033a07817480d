import { nearestLimit } from '../domain/budget/nearest-limit';
import type { AttemptBudget } from '../ledger/queries/attempt-budget';
import type { TenantUse } from '../requests/documents/tenant-use';
import { limitName, usedWords } from '../requests/words/limit-words';
import { duration, money } from '../requests/words/words';

/** What was used of the limits, and which of them is nearest, on one line. */
export function budgetWords({ used, limits }: AttemptBudget, priceUnknown = false): string {
  const spent = `${money(used.costMicroUsd)} of ${money(limits.maxCostMicroUsd)}`;
  const near = nearestWords({ used, limits });
  return [
    // A part of it may have a price: a fallback, say.
    priceUnknown ? `price unknown, so maxCostUsd cannot bite (counted ${money(used.costMicroUsd)})` : spent,
    `${used.tokens.toLocaleString('en-US')} of ${limits.maxTokens.toLocaleString('en-US')} tokens`,
    `${used.toolCalls} of ${limits.maxToolCalls} tool calls`,
    `${duration(used.runtimeMs)} of ${duration(limits.maxRuntimeMs)}`,
    `${used.repairs} of ${limits.maxRepairs} repairs`,
    ...(near === undefined ? [] : [`nearest: ${near}`]),
  ].join(' · ');
}

/** `USD 12.0000 of USD 200.0000 in all its attempts this month`. */
export function tenantUseWords({ usedMicroUsd, maxCostMicroUsd, per }: TenantUse): string {
  const time = per === 'total' ? '' : ` this ${per}`;
  return `${money(usedMicroUsd)} of ${money(maxCostMicroUsd)} in all its attempts${time}`;
}

/** `maxToolCalls 80 %`; undefined where nothing is used. */
function nearestWords({ used, limits }: AttemptBudget): string | undefined {
  const near = nearestLimit(used, limits);
  return near && `${limitName(near.limit)} ${Math.floor(near.share * 100)} %`;
}

/** Shares of a limit at which whoever watches is told: half of it is news, and what is left after is soon gone. */
const toldShares = [0.9, 0.75, 0.5];

/** Says once for each share of `toldShares` that a limit came to it. */
export class BudgetTeller {
  private readonly told = new Map<string, number>();

  /** Undefined where there is nothing new. */
  tell({ used, limits }: AttemptBudget): string | undefined {
    const near = nearestLimit(used, limits);
    const share = near && toldShares.find((one) => near.share >= one);
    if (!near || share === undefined || share <= (this.told.get(near.limit) ?? 0)) return undefined;
    this.told.set(near.limit, share);
    return usedWords(near);
  }
}
