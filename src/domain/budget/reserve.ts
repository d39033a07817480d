import { type Account, type LimitName, type Limits, nothingDelegated } from './account';

/**
 * What a call may still use, and what it used (R6.2). Pure over the account; the ledger keeps it under the row's lock.
 *
 *   I1  Used and held together never pass a limit by a reservation: one that does not fit is refused, and a refusal
 *       changes nothing. What was really billed may pass it, for a billed try never disappears.
 *   I2  Every reservation is settled once: at what was billed, or, where its execution was lost, at the reservation.
 *   I3  A limit of n permits n; the next is refused.
 *   I4  Amounts are whole and not negative: nothing that is booked makes room. Anything else throws RangeError.
 */
export interface Amount {
  readonly tokens: number;
  readonly costMicroUsd: number;
}
export interface Refused {
  readonly ok: false;
  readonly limit: LimitName;
  /** Used and held before the refused one. */
  readonly used: number;
  readonly max: number;
  /** What it would have taken. */
  readonly ask: number;
  /** All attempts of the task have the limit so many times together, and that refused it. */
  readonly times?: number;
}
export type Charged = { readonly ok: true; readonly account: Account } | Refused;

/** A call's time is known only when it is over; a second stands for it, so that whoever raises the limit gets past its start. */
const runtimeAskMs = 1_000;

/** Holds `ask` for a call that is about to be sent. */
export function reserve(account: Account, limits: Limits, ask: Amount): Charged {
  checkAmount(ask);
  const { delegated = nothingDelegated } = account;
  const tokens = account.tokens + account.reservedTokens + delegated.tokens;
  if (tokens + ask.tokens > limits.maxTokens) return refused('maxTokens', tokens, limits, ask.tokens);
  const cost = account.costMicroUsd + account.reservedCostMicroUsd + delegated.costMicroUsd;
  if (cost + ask.costMicroUsd > limits.maxCostMicroUsd)
    return refused('maxCostMicroUsd', cost, limits, ask.costMicroUsd);
  return {
    ok: true,
    account: {
      ...account,
      reservedTokens: account.reservedTokens + ask.tokens,
      reservedCostMicroUsd: account.reservedCostMicroUsd + ask.costMicroUsd,
    },
  };
}

/** Gives back what was reserved and books what was billed; for a lost execution `actual` is the reservation itself. */
export function settle(account: Account, reserved: Amount, actual: Amount): Account {
  checkAmount(reserved);
  checkAmount(actual);
  const reservedTokens = account.reservedTokens - reserved.tokens;
  const reservedCostMicroUsd = account.reservedCostMicroUsd - reserved.costMicroUsd;
  if (reservedTokens < 0 || reservedCostMicroUsd < 0) {
    throw new RangeError('A reservation was settled that the account does not hold'); // I2
  }
  return {
    ...account,
    tokens: account.tokens + actual.tokens,
    costMicroUsd: account.costMicroUsd + actual.costMicroUsd,
    reservedTokens,
    reservedCostMicroUsd,
  };
}

function checkAmount({ tokens, costMicroUsd }: Amount): void {
  for (const number of [tokens, costMicroUsd]) {
    if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`No amount is ${number}`); // I4
  }
}

export function chargeTurn(account: Account, limits: Limits): Charged {
  if (account.turns >= limits.maxTurns) return refused('maxTurns', account.turns, limits);
  return { ok: true, account: { ...account, turns: account.turns + 1 } };
}

/** Before a call of `tool`. A tool that failed too often in a row is refused, so the model saw its last error. */
export function chargeToolCall(account: Account, limits: Limits, tool: string): Charged {
  const calls = account.toolCalls + (account.delegated?.toolCalls ?? 0);
  if (calls >= limits.maxToolCalls) return refused('maxToolCalls', calls, limits);
  const errors = errorsOf(account, tool);
  if (errors >= limits.maxSameToolErrors) return refused('maxSameToolErrors', errors, limits);
  return { ok: true, account: { ...account, toolCalls: account.toolCalls + 1 } };
}

/** After a call of `tool`: counts its errors in a row. */
export function noteToolResult(account: Account, tool: string, ok: boolean): Account {
  const others = Object.entries(account.toolErrors).filter(([name]) => name !== tool);
  const own: [string, number][] = ok ? [] : [[tool, errorsOf(account, tool) + 1]];
  return { ...account, toolErrors: Object.fromEntries([...others, ...own]) };
}

/**
 * Feedback that all attempts of a task for one end may have together, in `maxRepairs` of one of them (R3.4): enough for a second and a
 * third attempt, too little to learn a check by its answers.
 */
export const repairsOfTaskTimes = 3;

/** `ofOthers`: repairs of the other attempts of the task. */
export function chargeRepair(account: Account, limits: Limits, ofOthers = 0): Charged {
  const { maxRepairs } = limits;
  if (account.repairs >= maxRepairs) return refused('maxRepairs', account.repairs, limits);
  const [used, max] = [account.repairs + ofOthers, repairsOfTaskTimes * maxRepairs];
  if (used >= max) return { ok: false, limit: 'maxRepairs', used, max, ask: 1, times: repairsOfTaskTimes };
  return { ok: true, account: { ...account, repairs: account.repairs + 1 } };
}

/** `activeMs`: billed time since the start of the Attempt, by the workflow's clock; it never goes back. */
export function chargeRuntime(account: Account, limits: Limits, activeMs: number): Charged {
  const runtimeMs = Math.max(account.runtimeMs, activeMs);
  if (runtimeMs > limits.maxRuntimeMs) return refused('maxRuntimeMs', runtimeMs, limits, runtimeAskMs);
  return { ok: true, account: { ...account, runtimeMs } };
}

/** A model may name any tool, also one that every object has by inheritance. */
function errorsOf(account: Account, tool: string): number {
  return Object.hasOwn(account.toolErrors, tool) ? (account.toolErrors[tool] ?? 0) : 0;
}

/** `ask`: one, for what is counted. */
function refused(limit: LimitName, used: number, limits: Limits, ask = 1): Refused {
  return { ok: false, limit, used, max: limits[limit], ask };
}
