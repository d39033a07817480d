import type { ExceededLimit as LimitOfCall } from '../domain/budget/account';
import type { AttemptDetails } from '../ledger/queries/attempt-details';
import { duration, money } from './words';

/** The one limit that no task file and no `resume` can raise. */
const tenantLimit: LimitOfCall = 'tenantMaxCostMicroUsd';
export const isTenantLimit = (limit: string): boolean => limit === tenantLimit;

type Exceeded = NonNullable<AttemptDetails['exceeded']>;

/** A limit by the name that a person writes it with, and how its amounts are read. */
function limitInFile(limit: string): { readonly name: string; readonly amount: (value: number) => string } {
  switch (limit) {
    case 'maxRuntimeMs':
      return { name: 'maxRuntimeSeconds', amount: duration };
    case 'maxCostMicroUsd':
      return { name: 'maxCostUsd', amount: money };
    case tenantLimit:
      return { name: 'maxCostUsd of the tenant', amount: money };
    default:
      return { name: limit, amount: (value) => value.toLocaleString('en-US') };
  }
}

/** `maxCostUsd exceeded: USD 2.0100 of USD 2.0000`. */
export function exceededWords({ limit, used, max }: Exceeded): string {
  const { name, amount } = limitInFile(limit);
  return `${name} exceeded: ${amount(used)} of ${amount(max)}`;
}

/** `maxToolCalls: 40 of 50 used`. */
export function usedWords({ limit, used, max }: Exceeded): string {
  const { name, amount } = limitInFile(limit);
  return `${name}: ${amount(used)} of ${amount(max)} used`;
}

/** As the task file has it under `budget`. */
export const limitName = (limit: string): string => limitInFile(limit).name;

/** `maxCostUsd to USD 5.0000`. */
export function raisedWords(limit: string, value: number): string {
  const { name, amount } = limitInFile(limit);
  return `${name} to ${amount(value)}`;
}
