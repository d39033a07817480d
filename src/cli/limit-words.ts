import type { AttemptDetails } from '../ledger/queries/attempt-details';
import { duration, money } from './words';

type Exceeded = NonNullable<AttemptDetails['exceeded']>;

/** A limit by the name that it has in the task file, and how its amounts are read. */
function limitInFile(limit: string): { readonly name: string; readonly amount: (value: number) => string } {
  switch (limit) {
    case 'maxRuntimeMs':
      return { name: 'maxRuntimeSeconds', amount: duration };
    case 'maxCostMicroUsd':
      return { name: 'maxCostUsd', amount: money };
    default:
      return { name: limit, amount: (value) => value.toLocaleString('en-US') };
  }
}

/** `maxCostUsd exceeded: USD 2.0100 of USD 2.0000`. */
export function exceededWords({ limit, used, max }: Exceeded): string {
  const { name, amount } = limitInFile(limit);
  return `${name} exceeded: ${amount(used)} of ${amount(max)}`;
}

/** As the task file has it under `budget`. */
export const limitName = (limit: string): string => limitInFile(limit).name;

/** `maxCostUsd to USD 5.0000`. */
export function raisedWords(limit: string, value: number): string {
  const { name, amount } = limitInFile(limit);
  return `${name} to ${amount(value)}`;
}
