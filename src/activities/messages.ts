import type { Call, NamedMessage } from '../protocol/calls';
import type { Message } from '../protocol/messages';
import type { AttemptTx } from './ledger-port';

/** Lands what rides beside the arguments and no earlier move has landed, before any row of this move (M4, M7). */
export function landRiders(tx: AttemptTx, call: Call): void {
  const missing = (call.riders ?? []).filter((rider) => rider.r > tx.attempt.acked);
  for (const { event } of missing) {
    tx.emit(event);
    const state = event.payload.path.at(-1);
    if (state && !tx.attempt.ended) tx.update({ state });
  }
  const last = missing.at(-1);
  if (last) tx.update({ acked: last.r });
  for (const message of call.messages ?? []) tx.insert('inbox', { id: message.id, ...asTyped(message) });
}

/** Nobody gives themselves a channel: what was typed by hand is `asserted`, whatever it holds (R5.5). */
function asTyped(message: Message): { kind: string; body: unknown } {
  if (message.kind !== 'approve' && message.kind !== 'deny') return { kind: message.kind, body: message.body };
  const { channel: _claimed, ...body } = message.body;
  return { kind: message.kind, body };
}

/** Messages that the workflow waits to see named: those a signal brought by id, and those typed by hand. */
export function awaitedIds(call: Pick<Call, 'wakes' | 'messages'>): string[] {
  return [...(call.wakes ?? []), ...(call.messages ?? []).map((message) => message.id)];
}

/** Whether a message of this kind lies in the inbox that nobody has taken. */
export const waits = (tx: AttemptTx, kind: Message['kind']): boolean =>
  tx.messages.some((message) => message.kind === kind && message.takenBy === null);

/**
 * Whether a call that this one is sent beside has taken such a message (M5): the one message stops them all, and whoever comes
 * later finds it taken.
 */
export const takenBeside = (tx: AttemptTx, beside: number | undefined, kind: Message['kind']): boolean =>
  beside !== undefined &&
  tx.messages.some(
    (message) =>
      message.kind === kind &&
      message.disposition === 'taken' &&
      message.takenBy !== null &&
      message.takenBy !== tx.n &&
      message.takenBy >= beside,
  );

/** M8: what the end leaves unread is rejected, so that its sender learns of it. */
export function rejectMessages(tx: AttemptTx, why: string): void {
  for (const message of tx.messages.filter((waiting) => waiting.takenBy === null)) reject(tx, message, why);
}

/** Whoever sent it is told why. */
export function reject(tx: AttemptTx, message: { id: string; kind: string }, why: string): void {
  tx.dispose(message.id, 'rejected', why);
  tx.emit({ type: 'message_rejected', payload: { messageId: message.id, kind: message.kind, why } });
}

/** What an answer says of messages: those this move disposed of, and each that the workflow waits for and is settled (M4). */
export function namedMessages(tx: AttemptTx, n: number, awaited: readonly string[]): NamedMessage[] {
  const known = tx.messages.flatMap((message): NamedMessage[] => {
    if (message.disposition === null || !(message.takenBy === n || awaited.includes(message.id))) return [];
    return [
      {
        id: message.id,
        as: message.disposition,
        kind: message.kind,
        ...(message.why === null ? {} : { why: message.why }),
      },
    ];
  });
  const unknown = awaited
    .filter((id) => !tx.messages.some((message) => message.id === id))
    .map((id) => ({ id, as: 'unknown' as const }));
  return [...known, ...unknown];
}
