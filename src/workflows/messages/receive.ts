import type { Message, MessageContent } from '../../protocol/messages';
import { maxTypedBytes, signalNames } from '../../protocol/messages';
import { shownNameMax, shownWhyMax } from '../limits';
import type { Run } from '../run/run';
import { byteLength } from './byte-length';
import { cancelShape, sayShape, wakeShape, whatIsWrong } from './shapes';

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
  receive(run, name, argument, `signal/${run.signals}`);
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
  run.abort?.();
}

function receive(run: Run, name: string, argument: unknown, placeId: string): string {
  const id = deliver(run, name, argument, placeId);
  if (name === signalNames.cancel) run.abort?.();
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

type KnownName = keyof typeof signalNames;
const isKnown = (name: string): name is KnownName => Object.hasOwn(signalNames, name);

interface Read {
  readonly messageId?: string | undefined;
  readonly content: MessageContent;
}

function read(name: string, argument: unknown): Read {
  if (!isKnown(name)) return unknown(name, `no signal is called so; known are ${Object.keys(signalNames).join(', ')}`);
  switch (name) {
    case 'say': {
      const say = sayShape.safeParse(argument);
      if (!say.success) return unknown(name, whatIsWrong(say.error));
      const { messageId, text, by } = say.data;
      return sized(name, messageId, { kind: 'say', body: { text, ...(by !== undefined && { by }) } });
    }
    case 'cancel': {
      const cancel = cancelShape.safeParse(argument);
      if (!cancel.success) return unknown(name, whatIsWrong(cancel.error));
      const { messageId, by, reason } = cancel.data;
      return sized(name, messageId, { kind: 'cancel', body: { by, ...(reason !== undefined && { reason }) } });
    }
  }
}

/** A typed message goes through history, so a long one is refused; its text goes no further than this. */
function sized(name: string, messageId: string | undefined, content: MessageContent): Read {
  const bytes = byteLength(JSON.stringify(content.body));
  if (bytes <= maxTypedBytes) return { messageId, content };
  const why = `it has ${bytes} bytes and a typed one may have ${maxTypedBytes}; send it with \`holdfast ${name}\``;
  return { messageId, ...unknown(name, why) };
}

function unknown(name: string, why: string): { readonly content: MessageContent } {
  return { content: { kind: 'unknown', body: { name: name.slice(0, shownNameMax), why: why.slice(0, shownWhyMax) } } };
}
