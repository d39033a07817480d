import { randomBytes } from 'node:crypto';
import { jobTokenHash } from '../../domain/job/token';
import type { Place } from '../job-rows';
import type { AttemptTx } from '../ledger-port';

/** Nobody guesses 32 random bytes. */
const tokenBytes = 32;

/** A token for one send: it goes to the other side, and the ledger keeps its hash. */
export function giveToken(tx: AttemptTx, { step, index }: Place): string {
  const token = randomBytes(tokenBytes).toString('base64url');
  tx.insert('job_tokens', { step, index, hash: jobTokenHash(token) });
  return token;
}
