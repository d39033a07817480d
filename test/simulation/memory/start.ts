import type { AttemptRef } from '../../../src/protocol/ids';
import type { MemoryLedger } from './ledger';
import { type MemoryStart, newAttempt } from './new-attempt';

/** A task's next attempt, beside any that runs. */
export function startInMemory({ tables }: MemoryLedger, start: MemoryStart): AttemptRef {
  const { ref, own } = newAttempt(tables, start);
  tables.attempts.set(ref.key, own);
  return ref;
}
