import { type Account, type Limits, nothingDelegated, type Share } from '../budget/account';
import { toUnits } from '../budget/limit-table';
import { usedOf } from '../budget/used-of';
import type { Delegation } from './delegation';

/**
 * A child's budget is a share of its parent's (R6.4).
 *
 *   I1  `delegated` of an account is what its children hold, and what those that are over have used: it counts against the limits
 *       like the parent's own, and is no cost of the parent's own, so that a tenant's costs have it once.
 *   I2  A share that does not fit is refused, so parent and children together stay within what the parent was given.
 */
export type Shared =
  | { readonly ok: true; readonly share: Share; readonly limits: Limits }
  /** In words for the model. */
  | { readonly ok: false; readonly why: string };

/** What a child that is asked for may use: as asked, else half of what is left; in all else the parent's limits. */
export function shareFor(account: Account, limits: Limits, budget: Delegation['budget'] = {}): Shared {
  const used = usedOf(account);
  const left = (limit: 'maxTokens' | 'maxCostMicroUsd' | 'maxToolCalls') => Math.max(0, limits[limit] - used[limit]);
  const half = (amount: number) => Math.floor(amount / 2);
  const { maxTokens = half(left('maxTokens')), maxToolCalls = half(left('maxToolCalls')), maxCostUsd } = budget;
  const cost = maxCostUsd === undefined ? half(left('maxCostMicroUsd')) : toUnits('maxCostMicroUsd', maxCostUsd);
  if (maxTokens < 1 || maxTokens > left('maxTokens'))
    return no(`You have ${left('maxTokens')} tokens left, of which a child would get ${maxTokens}.`);
  if (cost > left('maxCostMicroUsd'))
    return no(`You have ${left('maxCostMicroUsd') / 1_000_000} USD left, less than the child would get.`);
  if (maxToolCalls > left('maxToolCalls'))
    return no(`You have ${left('maxToolCalls')} tool calls left, of which a child would get ${maxToolCalls}.`);
  const share = { tokens: maxTokens, costMicroUsd: cost, toolCalls: maxToolCalls };
  return { ok: true, share, limits: { ...limits, maxTokens, maxCostMicroUsd: cost, maxToolCalls } };
}

const no = (why: string): Shared => ({ ok: false, why });

/** The parent's account while the child holds its share (I1). */
export const holdShare = (account: Account, share: Share): Account => withDelegated(account, share, 1);

/** The parent's account once the child is over: it holds nothing, and has used what it used, its own children's included. */
export const settleShare = (account: Account, share: Share, child: Account): Account =>
  withDelegated(withDelegated(account, share, -1), spentBy(child), 1);

/** An account that has settled a child whose own account was corrected after its end: what that has spent more, or less, counts. */
export const correctShare = (account: Account, before: Account, after: Account): Account =>
  withDelegated(withDelegated(account, spentBy(before), -1), spentBy(after), 1);

function spentBy({ tokens, costMicroUsd, toolCalls, delegated = nothingDelegated }: Account): Share {
  return {
    tokens: tokens + delegated.tokens,
    costMicroUsd: costMicroUsd + delegated.costMicroUsd,
    toolCalls: toolCalls + delegated.toolCalls,
  };
}

function withDelegated(account: Account, share: Share, sign: 1 | -1): Account {
  const { tokens, costMicroUsd, toolCalls } = account.delegated ?? nothingDelegated;
  return {
    ...account,
    delegated: {
      tokens: tokens + sign * share.tokens,
      costMicroUsd: costMicroUsd + sign * share.costMicroUsd,
      toolCalls: toolCalls + sign * share.toolCalls,
    },
  };
}
