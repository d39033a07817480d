/**
 * The inbox of an attempt: what a transaction does with the messages that wait (M4).
 *
 *   I1  Messages are taken in inbox order, each once; whoever takes one says what became of it, in words to its sender.
 *   I2  Reads of a transaction show what was there before its messages (I2 of AttemptTx), so what they have changed so far
 *       is kept beside them in `Said`, and every later message of the same transaction is judged by that.
 *   I3  Nobody gives themselves a channel: what was typed by hand is `asserted`, whatever it holds.
 */
import type { Effect } from '../domain/effect/effect';
import type { Call, NamedMessage } from '../protocol/calls';
import type { Message } from '../protocol/messages';
import { answerRequest } from './approvals';
import type { Approval, AttemptTx, InboxRow } from './ledger-port';
import type { PolicyPort, ToolPort } from './ports';
import { reconcileByPerson } from './reconcile';
import { resumeAttempt } from './resume';

export interface MessageDeps {
  readonly policy: PolicyPort;
  readonly tools: ToolPort;
}

/**
 * Which messages a call takes. `stops`: those that stop it; a word that it took might be heard by no model before the end.
 * `settling`: while an attempt is being cancelled. `acting`: all but a word on an effect, which would change the rows that
 * the same transaction claims by.
 */
export type TakePolicy = 'all' | 'acting' | 'stops' | 'settling' | 'none';

/** What the messages of one transaction have changed, by action id. */
export interface Said {
  readonly approvals: Map<string, Approval>;
  readonly effects: Map<string, Effect>;
}
export interface Taken {
  readonly cancel: boolean;
  readonly suspend: boolean;
  /** What was suspended goes on. */
  readonly resume: boolean;
  readonly said: { readonly approvals: ReadonlyMap<string, Approval>; readonly effects: ReadonlyMap<string, Effect> };
}
export const nothingTaken: Taken = {
  cancel: false,
  suspend: false,
  resume: false,
  said: { approvals: new Map(), effects: new Map() },
};

/** What becomes of one message; `write` is done once it is recorded as taken. */
export type Disposal =
  | { readonly kind: 'taken'; readonly write?: () => void }
  | { readonly kind: 'rejected'; readonly why: string }
  /** Meant for the call after this one. */
  | { readonly kind: 'left' };

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

/** I3 */
function asTyped(message: Message): { kind: string; body: unknown } {
  if (message.kind !== 'approve' && message.kind !== 'deny') return { kind: message.kind, body: message.body };
  const { channel: _claimed, ...body } = message.body;
  return { kind: message.kind, body };
}

/** Messages that the workflow waits to see named: those a signal brought by id, and those typed by hand. */
export function awaitedIds(call: Pick<Call, 'wakes' | 'messages'>): string[] {
  return [...(call.wakes ?? []), ...(call.messages ?? []).map((message) => message.id)];
}

type Taking = Pick<Call, 'now'> & { readonly args: object };

/** Takes the messages that wait and that the policy names (I1). */
export async function takeMessages(
  deps: MessageDeps,
  tx: AttemptTx,
  call: Taking,
  policy: Exclude<TakePolicy, 'none'>,
): Promise<Taken> {
  if (tx.attempt.ended) {
    rejectMessages(tx, `The attempt had ended (${tx.attempt.state}).`);
    return nothingTaken;
  }
  const desk = new Desk(deps, tx, call);
  for (const message of tx.messages.filter((waiting) => waiting.takenBy === null)) {
    if (isTaken(policy, message.kind)) await desk.take(message);
  }
  return desk.taken();
}

function isTaken(policy: Exclude<TakePolicy, 'none'>, kind: Message['kind']): boolean {
  switch (policy) {
    case 'all':
      return true;
    case 'acting':
      return kind !== 'reconcile';
    case 'stops':
      return kind === 'cancel' || kind === 'suspend';
    case 'settling':
      return kind === 'cancel' || kind === 'reconcile';
  }
}

/** One transaction's messages, one after the other (I2). */
class Desk {
  private cancel = false;
  private suspend = false;
  private resume = false;
  private readonly said: Said = { approvals: new Map(), effects: new Map() };

  constructor(
    private readonly deps: MessageDeps,
    private readonly tx: AttemptTx,
    private readonly call: Taking,
  ) {}

  taken(): Taken {
    return { cancel: this.cancel, suspend: this.suspend, resume: this.resume, said: this.said };
  }

  async take(message: InboxRow): Promise<void> {
    const disposal = await this.disposal(message);
    switch (disposal.kind) {
      case 'taken':
        this.tx.dispose(message.id, 'taken');
        this.tx.emit({ type: 'message_taken', payload: { messageId: message.id, kind: message.kind } });
        disposal.write?.();
        return;
      case 'rejected':
        reject(this.tx, message, disposal.why);
        return;
      case 'left':
        return;
    }
  }

  private async disposal(message: InboxRow): Promise<Disposal> {
    const { deps, tx, call, said } = this;
    switch (message.kind) {
      case 'say':
        return { kind: 'taken', write: () => hear(tx, message) };
      case 'cancel':
        this.cancel = true;
        return { kind: 'taken' };
      case 'suspend':
        return this.onSuspend();
      case 'resume':
        return this.onResume(message);
      case 'approve':
      case 'deny':
        return await answerRequest(deps.policy, tx, call.now, message, said.approvals);
      case 'reconcile':
        return await reconcileByPerson(deps.tools, tx, message, said.effects);
      case 'effectSettled':
        return { kind: 'taken' };
      case 'unknown':
        return { kind: 'rejected', why: message.body.why };
    }
  }

  private onSuspend(): Disposal {
    if (this.tx.attempt.state === 'SUSPENDED' && !this.resume)
      return { kind: 'rejected', why: 'The attempt is suspended already; "holdfast resume" lets it go on.' };
    this.suspend = true;
    this.resume = false;
    return { kind: 'taken' };
  }

  /** Only the pause itself can be left, so a resume that comes with or just behind a suspend waits for it. */
  private onResume(message: Extract<InboxRow, { kind: 'resume' }>): Disposal {
    if (this.suspend && this.tx.attempt.state !== 'SUSPENDED') return { kind: 'left' };
    if (this.tx.attempt.state !== 'SUSPENDED')
      return {
        kind: 'rejected',
        why: `The attempt is not suspended (${this.tx.attempt.state}); nothing is to be resumed.`,
      };
    if (!isPause(this.call.args)) return { kind: 'left' };
    const disposal = resumeAttempt(this.tx, message.body);
    if (disposal.kind === 'taken') {
      this.resume = true;
      this.suspend = false;
    }
    return disposal;
  }
}

const isPause = (args: object) => 'at' in args && args.at === 'pause';

function hear(tx: AttemptTx, { id, body: { text, by } }: Extract<InboxRow, { kind: 'say' }>): void {
  tx.insert('inputs', {
    ordinal: tx.lastInput + 1,
    turn: tx.attempt.turn,
    after_step: tx.attempt.step,
    kind: 'message',
    body: { text, ...(by === undefined ? {} : { by }), messageId: id },
  });
}

/** Whether a message of this kind lies in the inbox that nobody has taken. */
export const waits = (tx: AttemptTx, kind: Message['kind']): boolean =>
  tx.messages.some((message) => message.kind === kind && message.takenBy === null);

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
