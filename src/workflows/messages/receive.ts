import { type Message, signalNames, upgradeSignal } from '../../protocol/messages';
import { abortCalls, type Run } from '../run/run';
import { isKnown, read } from './read';
import { wakeShape } from './shapes';

/**
 * Takes a message in: it queues and wakes, and decides nothing (M4).
 *
 *   I1  A message has the same id in every decision of a task: its own, else one by its place among the attempt's signals
 *       or by its update. Signals are counted in the order of history, all of them.
 *   I2  What nobody knows or nobody can read becomes a message too, for the ledger to reject where people see it.
 */
export function receiveSignal(run: Run, name: string, argument: unknown): void {
  run.signals += 1;
  run.signalsInRun += 1;
  if (name === upgradeSignal) run.upgradeAsked = true;
  else receive(run, name, argument, `signal/${run.signals}`);
}

/** Returns the id by which an answer will name the message. */
export function receiveUpdate(run: Run, name: string, argument: unknown, updateId: string): string {
  run.updatesInRun += 1;
  // A client may have chosen any text for it.
  return receive(run, name, argument, `update/${encodeURIComponent(updateId)}`);
}

/** A native cancellation of the workflow is a cancel like any other (M5). */
export function receiveNativeCancel(run: Run): void {
  run.mailbox.put({ id: 'native-cancel', kind: 'cancel', body: { by: 'temporal' } });
  abortCalls(run);
}

function receive(run: Run, name: string, argument: unknown, placeId: string): string {
  const id = deliver(run, name, argument, placeId);
  if (name === signalNames.cancel || name === signalNames.suspend) abortCalls(run);
  return id;
}

function deliver(run: Run, name: string, argument: unknown, placeId: string): string {
  const wake = wakeShape.safeParse(argument);
  if (wake.success) {
    run.mailbox.wake(wake.data.messageId, isKnown(name) ? name : 'unknown');
    return wake.data.messageId;
  }
  const { messageId, content } = read(name, argument);
  const id = messageId ?? placeId;
  const message: Message = { id, ...content };
  run.mailbox.put(message);
  return id;
}
