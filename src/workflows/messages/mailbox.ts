import type { NamedMessage } from '../../protocol/calls';
import type { Message, MessageKind, UpdateReply } from '../../protocol/messages';
import { messagesPerCallMax, typedBytesPerCallMax } from '../limits';
import { byteLength } from './byte-length';

/**
 * Message ids that reached this run and that no answer has named (M4). Handlers put them in; answers take them out; what
 * a message means is for the ledger to say.
 *
 *   I1  An id leaves only when an answer names it, however it arrived and however often.
 *   I2  A message rides with every call until then, so it does not matter which call the ledger sees first.
 *   I3  What a call may be waiting for rides before what is only heard: a call that leaves the one must not leave the other.
 */
export class Mailbox {
  /** In order of arrival; a wake has no message of its own. */
  private readonly queued = new Map<string, { readonly kind: MessageKind; readonly message?: Message }>();
  private readonly waiting = new Map<string, ((reply: UpdateReply) => void)[]>();

  constructor(carried: { readonly wakes?: readonly string[]; readonly messages?: readonly Message[] } = {}) {
    for (const message of carried.messages ?? []) this.put(message);
    // The call that it would have aborted is over, so its kind says nothing.
    for (const id of carried.wakes ?? []) this.wake(id, 'unknown');
  }

  get isEmpty(): boolean {
    return this.queued.size === 0;
  }

  /** Whether a cancel or a request to suspend waits: a reason to end a wait early, and nothing else (M3). */
  get hasStop(): boolean {
    return this.has('cancel') || this.has('suspend');
  }

  /** Whether a message of this kind waits; as `hasStop`. */
  has(kind: MessageKind): boolean {
    for (const entry of this.queued.values()) if (entry.kind === kind) return true;
    return false;
  }

  put(message: Message): void {
    if (!this.queued.get(message.id)?.message) this.queued.set(message.id, { kind: message.kind, message });
  }

  wake(id: string, kind: MessageKind): void {
    if (!this.queued.has(id)) this.queued.set(id, { kind });
  }

  /** Resolves when an answer names the id. */
  named(id: string): Promise<UpdateReply> {
    return new Promise((resolve) => this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve]));
  }

  /** What rides with the next call: the oldest first (I3), bounded in number and in bytes; the rest rides with the one after. */
  freight(): Freight {
    const wakes: string[] = [];
    const messages: Message[] = [];
    let bytes = 0;
    const all = [...this.queued];
    const urgent = all.filter(([, { kind }]) => goesFirst.includes(kind));
    const ordered = urgent.length === 0 ? all : [...urgent, ...all.filter((entry) => !urgent.includes(entry))];
    for (const [id, { message }] of ordered) {
      if (wakes.length + messages.length >= messagesPerCallMax) break;
      if (!message) {
        wakes.push(id);
        continue;
      }
      bytes += byteLength(JSON.stringify(message));
      if (messages.length > 0 && bytes > typedBytesPerCallMax) break;
      messages.push(message);
    }
    return { ...(wakes.length > 0 && { wakes }), ...(messages.length > 0 && { messages }) };
  }

  /** Whether one freight takes all of it, so that a new run can begin with it. */
  get fitsOneFreight(): boolean {
    const { wakes = [], messages = [] } = this.freight();
    return wakes.length + messages.length === this.queued.size;
  }

  drop(named: readonly NamedMessage[]): void {
    for (const { id, as, why } of named) {
      this.queued.delete(id);
      const reply: UpdateReply =
        as === 'taken' ? { taken: true } : { taken: false, why: why ?? `the message is ${as}` };
      for (const resolve of this.waiting.get(id) ?? []) resolve(reply);
      this.waiting.delete(id);
    }
  }
}

/** What `settle` takes, and what stops a call. */
const goesFirst: readonly MessageKind[] = ['cancel', 'suspend', 'reconcile', 'effectSettled', 'childEnded'];

export interface Freight {
  readonly wakes?: readonly string[];
  readonly messages?: readonly Message[];
}
