/**
 * What an Attempt may use and what it has used (R6). Whole numbers throughout: money in millionths of a US dollar,
 * time in milliseconds.
 */
export interface Limits {
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** Failures of one tool in a row. */
  readonly maxSameToolErrors: number;
  readonly maxRuntimeMs: number;
  readonly maxTokens: number;
  readonly maxCostMicroUsd: number;
  readonly maxRepairs: number;
}
export type LimitName = keyof Limits;
/** What may refuse a call: a limit of its attempt, or the cost that its tenant may have over all attempts. */
export type ExceededLimit = LimitName | 'tenantMaxCostMicroUsd';

/** R6.1 */
export const defaultLimits: Limits = {
  maxTurns: 30,
  maxToolCalls: 50,
  maxSameToolErrors: 3,
  maxRuntimeMs: 600_000,
  maxTokens: 100_000,
  maxCostMicroUsd: 2_000_000,
  maxRepairs: 3,
};

/** The budget account of one Attempt, kept on its ledger row. `reserved` is held by executions that have not answered. */
export interface Account {
  readonly turns: number;
  readonly toolCalls: number;
  readonly repairs: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly runtimeMs: number;
  readonly reservedTokens: number;
  readonly reservedCostMicroUsd: number;
  /** Errors in a row by tool; a success of the tool removes its entry. */
  readonly toolErrors: Readonly<Record<string, number>>;
  /** What children hold or have used (R6.4); absent where there were none. Counted against the limits, and no cost of its own. */
  readonly delegated?: Share;
}
/** What a child may use, or has used. */
export interface Share {
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly toolCalls: number;
}
export const nothingDelegated: Share = { tokens: 0, costMicroUsd: 0, toolCalls: 0 };

export const emptyAccount: Account = {
  turns: 0,
  toolCalls: 0,
  repairs: 0,
  tokens: 0,
  costMicroUsd: 0,
  runtimeMs: 0,
  reservedTokens: 0,
  reservedCostMicroUsd: 0,
  toolErrors: {},
};
