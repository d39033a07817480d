import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerUnavailableError } from '../../activities/ledger-port';
import { type MessageFate, messageFate } from '../../ledger/queries/message-fate';
import { ledgerError } from '../../ledger/unavailable';
import type { AttemptRef } from '../../protocol/ids';
import type { MessageKind } from '../../protocol/messages';
import type { Session } from '../session';
import { duration } from '../words/words';
import { untaken } from './untaken';

/** An attempt that waits takes a message within a tenth of a second; one that works, when what it does now is over. */
const fateWaitMs = 10_000;
/** A person who sees nothing for this long wonders whether anything happens. */
const silenceMs = 1_000;
/** One indexed read. */
const pollMs = 50;

/** The message, and whether what became of it is waited for without end, as whoever waits for the attempt does. */
export interface Sent {
  readonly id: string;
  readonly kind: MessageKind;
  readonly patient?: boolean;
}

/**
 * What an attempt makes of a message: waits for it a bounded while, after which it is `waiting`; or, where the sender is
 * patient, until it is decided. Rejects with RequestRefused where a patient one waits and no worker lives that could take it.
 */
export async function learnFate(session: Session, ref: AttemptRef, { id, kind, patient }: Sent): Promise<MessageFate> {
  const sentAt = performance.now();
  for (let told = false, over = false; ; ) {
    const fate = await fateOf(session, ref, id);
    const passedMs = performance.now() - sentAt;
    if (fate.kind !== 'waiting') return fate;
    if (passedMs > fateWaitMs && !over) {
      if (!patient) return fate;
      const words = await untaken(session, ref, kind);
      session.aside?.(words);
      over = true;
    }
    if (!told && passedMs > silenceMs) {
      session.aside?.(`The ${kind} is stored; waiting up to ${duration(fateWaitMs)} for ${ref.id} to take it …`);
      told = true;
    }
    await sleep(pollMs);
  }
}

/** The message is safe in the ledger; one that does not answer for a moment has said nothing about it. */
async function fateOf({ pool }: Session, ref: AttemptRef, id: string): Promise<MessageFate> {
  try {
    return await messageFate(pool, ref, id);
  } catch (error) {
    if (ledgerError(error) instanceof LedgerUnavailableError) return { kind: 'waiting' };
    throw error;
  }
}
