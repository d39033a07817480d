import { type Account, type LimitName, nothingDelegated } from './account';

/** What counts against each limit, in its own units; what calls under way and children hold counts too. */
export function usedOf(account: Account): Readonly<Record<LimitName, number>> {
  const { delegated = nothingDelegated } = account;
  return {
    maxTurns: account.turns,
    maxToolCalls: account.toolCalls + delegated.toolCalls,
    maxSameToolErrors: Math.max(0, ...Object.values(account.toolErrors)),
    maxRuntimeMs: account.runtimeMs,
    maxTokens: account.tokens + account.reservedTokens + delegated.tokens,
    maxCostMicroUsd: account.costMicroUsd + account.reservedCostMicroUsd + delegated.costMicroUsd,
    maxRepairs: account.repairs,
  };
}
