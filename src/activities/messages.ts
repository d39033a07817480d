import type { Call, NamedMessage } from '../protocol/calls';
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
  for (const { id, kind, body } of call.messages ?? []) tx.insert('inbox', { id, kind, body });
}

/** Messages that the workflow waits to see named: those a signal brought by id, and those typed by hand. */
export function awaitedIds(call: Pick<Call, 'wakes' | 'messages'>): string[] {
  return [...(call.wakes ?? []), ...(call.messages ?? []).map((message) => message.id)];
}

/** Which messages a call takes. `cancel` alone: a word that this call took might be heard by no model before the end. */
export type TakePolicy = 'all' | 'cancel' | 'none';

/**
 * Takes the messages that wait, in inbox order (M4): a `say` becomes an input of the model, a `cancel` is told to the
 * caller, anything else is rejected. Returns whether a cancel was taken.
 */
export function takeMessages(tx: AttemptTx, policy: Exclude<TakePolicy, 'none'>): { cancel: boolean } {
  if (tx.attempt.ended) {
    rejectMessages(tx, `The attempt had ended (${tx.attempt.state}).`);
    return { cancel: false };
  }
  let cancel = false;
  for (const message of tx.messages.filter((waiting) => waiting.takenBy === null)) {
    if (policy === 'cancel' && message.kind !== 'cancel') continue;
    if (message.kind === 'unknown') {
      reject(tx, message, message.body.why);
      continue;
    }
    tx.dispose(message.id, 'taken');
    tx.emit({ type: 'message_taken', payload: { messageId: message.id, kind: message.kind } });
    if (message.kind === 'cancel') cancel = true;
    else {
      const { text, by } = message.body;
      tx.insert('inputs', {
        ordinal: tx.lastInput + 1,
        turn: tx.attempt.turn,
        after_step: tx.attempt.step,
        kind: 'message',
        body: { text, ...(by === undefined ? {} : { by }), messageId: message.id },
      });
    }
  }
  return { cancel };
}

/** Whether a cancel lies in the inbox that nobody has taken. */
export const cancelWaits = (tx: AttemptTx): boolean =>
  tx.messages.some((message) => message.kind === 'cancel' && message.takenBy === null);

/** M8: what the end leaves unread is rejected, so that its sender learns of it. */
export function rejectMessages(tx: AttemptTx, why: string): void {
  for (const message of tx.messages.filter((waiting) => waiting.takenBy === null)) reject(tx, message, why);
}

function reject(tx: AttemptTx, message: { id: string; kind: string }, why: string): void {
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
