import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerUnavailableError } from '../activities/ledger-port';
import { type MessageFate, messageFate } from '../ledger/queries/message-fate';
import { ledgerError } from '../ledger/unavailable';
import type { AttemptRef } from '../protocol/ids';
import { note } from './output';
import { type Sendable, send } from './send';
import type { Session } from './session';
import { duration } from './words';

/** An attempt that waits takes a message within a tenth of a second; one that works, when what it does now is over. */
const fateWaitMs = 10_000;
/** A person who sees nothing for this long wonders whether anything happens. */
const silenceMs = 1_000;
/** One indexed read. */
const pollMs = 50;

export interface Delivered {
  readonly messageId: string;
  /** `waiting`: stored, and not taken within `fateWaitMs`. */
  readonly fate: MessageFate;
}

/** Stores a message, wakes the attempt, and waits a bounded while to learn what it made of it. Rejects as `send` does. */
export async function deliver(session: Session, ref: AttemptRef, content: Sendable): Promise<Delivered> {
  const messageId = await send(session, ref, content);
  const sentAt = performance.now();
  for (let told = false; ; ) {
    const fate = await fateOf(session, ref, messageId);
    const passedMs = performance.now() - sentAt;
    if (fate.kind !== 'waiting' || passedMs > fateWaitMs) return { messageId, fate };
    if (!told && passedMs > silenceMs) {
      note(`The ${content.kind} is stored; waiting up to ${duration(fateWaitMs)} for ${ref.id} to take it …`);
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
