import type { AttemptRef } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/messages';
import type { MemoryLedger } from './ledger';
import { attemptTables } from './reads';

/** Stores a message as the command line does (M4): under the attempt's lock, once by its id, and not after the end. */
export async function storeInMemory(
  { tables, locks, now }: MemoryLedger,
  ref: AttemptRef,
  message: Message,
): Promise<'stored' | 'duplicate' | 'ended'> {
  const owner = {};
  await locks.take(`attempt ${ref.key}`, owner);
  try {
    const own = attemptTables(tables, ref.key);
    if (own.inbox.has(message.id)) return 'duplicate';
    if (own.head.row.ended) return 'ended';
    const waits = { takenBy: null, disposition: null, why: null };
    own.inbox.set(message.id, { message, ordinal: tables.nextOrdinal++, at: now(), ...waits });
    return 'stored';
  } finally {
    locks.release(owner);
  }
}
