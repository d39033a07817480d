import type { LedgerRule } from './rule';

/** Accounts against the tries that they are the sums of. */
export const moneyRules: readonly LedgerRule[] = [
  {
    rule: 'R6.2 the account is the sum of what its tries used',
    broken: `select a.key, 'accounts for ' || (a.account ->> 'costMicroUsd') || ' µUSD, and its tries cost '
               || coalesce(sum((t.usage ->> 'costMicroUsd')::bigint), 0)
             from attempts a left join model_tries t on t.attempt = a.key group by a.key
             having (a.account ->> 'tokens')::bigint <> coalesce(sum((t.usage ->> 'inputTokens')::bigint + (t.usage ->> 'outputTokens')::bigint), 0)
                 or (a.account ->> 'costMicroUsd')::bigint <> coalesce(sum((t.usage ->> 'costMicroUsd')::bigint), 0)`,
  },
  {
    rule: 'R6.2 what is held is the sum of the reservations of open tries',
    broken: `select a.key, 'holds ' || (a.account ->> 'reservedTokens') || ' tokens, and its open tries reserved '
               || coalesce(sum((t.reserved ->> 'inputTokens')::bigint + (t.reserved ->> 'outputTokens')::bigint), 0)
             from attempts a left join model_tries t on t.attempt = a.key and t.closed_at is null group by a.key
             having (a.account ->> 'reservedTokens')::bigint <> coalesce(sum((t.reserved ->> 'inputTokens')::bigint + (t.reserved ->> 'outputTokens')::bigint), 0)
                 or (a.account ->> 'reservedCostMicroUsd')::bigint <> coalesce(sum((t.reserved ->> 'costMicroUsd')::bigint), 0)`,
  },
  {
    rule: 'R6.2 a try that is over has its usage',
    broken: `select attempt, 'step ' || step || ', try ' || try || ' is closed without usage' from model_tries
             where (closed_at is null) <> (usage is null) or (closed_at is null) <> (outcome is null)
             union all select attempt, 's' || step || '.a' || index || ', try ' || try || ' is closed without an outcome'
             from tool_tries where (closed_at is null) <> (outcome is null)`,
  },
  {
    rule: 'R6.1 the turns charged are the turns there are',
    broken: `select a.key, 'charged for ' || (a.account ->> 'turns') || ' of ' || count(*) || ' turns'
             from attempts a join turns t on t.attempt = a.key group by a.key
             having (a.account ->> 'turns')::int <> count(*) or max(t.turn) <> a.turn or count(*) <> a.turn`,
  },
];
