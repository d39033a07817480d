import type { Account, LimitName } from './account';

/** What counts against each limit, in its own units; what calls under way hold counts too. */
export function usedOf(account: Account): Readonly<Record<LimitName, number>> {
  return {
    maxTurns: account.turns,
    maxToolCalls: account.toolCalls,
    maxSameToolErrors: Math.max(0, ...Object.values(account.toolErrors)),
    maxRuntimeMs: account.runtimeMs,
    maxTokens: account.tokens + account.reservedTokens,
    maxCostMicroUsd: account.costMicroUsd + account.reservedCostMicroUsd,
    maxRepairs: account.repairs,
  };
}
