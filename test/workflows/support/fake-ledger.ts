import type { AttemptState, EndState, Reason } from '../../../src/domain/attempt/states';
import type {
  Answered,
  Call,
  CallAnswers,
  CallArgs,
  CallKind,
  GiveUpArgs,
  NamedMessage,
} from '../../../src/protocol/calls';
import { actionId } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/messages';

/** What a test decides: the answer of a call that nobody has made before. Messages come first, as in the real ledger. */
export type Script = { [K in CallKind]?: (args: CallArgs[K], call: Call<K>) => CallAnswers[K] };

export class MismatchError extends Error {}

interface Row {
  readonly message: Message;
  takenBy?: number;
  as?: 'taken' | 'rejected';
}

/** The newest request for approval. */
export interface Request {
  readonly actionId: string;
  readonly binding: string;
  readonly expiresAt: number;
  state: 'open' | 'granted' | 'denied' | 'expired' | 'voided';
}

/** What the messages of one transaction came to. */
interface Heard {
  readonly fresh: readonly Row[];
  suspend: boolean;
  resume: boolean;
}

/**
 * The move log and the inbox in memory, by the rules of protocol.md: one answer a number, compared by kind and arguments
 * (M1); messages inserted by their own id and disposed of once (M4); riders landed once and in order (M7); one end (M8). Of an
 * action that waits it keeps what a wait asks about: its request, whether its effect is open, and whether another is in the way.
 */
export class FakeLedger {
  readonly moves: { n: number; kind: CallKind; args: unknown; answered: Answered }[] = [];
  readonly inbox = new Map<string, Row>();
  /** Every state passed, put together from the riders. */
  readonly path: AttemptState[] = ['CREATED'];
  acked = 0;
  turn = 1;
  end: { state: EndState; reason: Reason } | undefined;
  request: Request | undefined;
  private readonly requests = new Map<string, Request>();
  /** The effect of the newest action is UNKNOWN. */
  isOpen = false;
  /** Another effect is in the way. */
  isBlocked = false;
  /** Executions, answered ones included, in the order they came. */
  readonly calls: { kind: CallKind; call: Call }[] = [];

  constructor(private readonly script: Script) {}

  /** What CLI and gateway do: the row first, the wake-up later; false where the attempt has ended. */
  insert(message: Message): boolean {
    if (this.end) return false;
    if (!this.inbox.has(message.id)) this.inbox.set(message.id, { message });
    return true;
  }

  answer<K extends CallKind>(kind: K, call: Call<K>): Answered<K> {
    this.calls.push({ kind, call });
    const recorded = this.recorded(kind, call);
    if (recorded) return recorded as Answered<K>;
    this.land(call);
    return this.store(kind, call, this.decide(kind, call));
  }

  giveUp({ call, kind, code }: GiveUpArgs): Answered {
    const recorded = this.recorded(kind, call);
    if (recorded) return recorded;
    this.land(call);
    return this.store(kind, call, { answer: { kind: 'gave_up', code } as never, named: [] });
  }

  private recorded(kind: CallKind, call: Call): Answered | undefined {
    const move = this.moves.find(({ n }) => n === call.n);
    if (move === undefined) {
      const before = this.moves.filter(({ n }) => n < (call.beside ?? call.n)).length;
      if (before !== (call.beside ?? call.n) - 1) throw new MismatchError(`move ${call.n} comes after ${before}`);
      return undefined;
    }
    const [known, asked] = [JSON.stringify([move.kind, move.args]), JSON.stringify([kind, call.args])];
    if (known !== asked) throw new MismatchError(`move ${call.n} is ${known} and not ${asked}`);
    return move.answered;
  }

  private land(call: Call): void {
    for (const { r, event } of call.riders ?? []) {
      if (r <= this.acked) continue;
      if (r !== this.acked + 1) throw new Error(`rider ${r} comes after ${this.acked}`);
      if (event.payload.path[0] !== this.path.at(-1))
        throw new Error(`${event.payload.path} after ${this.path.at(-1)}`);
      this.path.push(...event.payload.path.slice(1));
      this.acked = r;
    }
    for (const message of call.messages ?? []) if (!this.inbox.has(message.id)) this.inbox.set(message.id, { message });
  }

  private store<K extends CallKind>(
    kind: K,
    call: Call<K>,
    { answer, named }: { answer: CallAnswers[K]; named: readonly NamedMessage[] },
  ): Answered<K> {
    const answered: Answered<K> = { answer, acked: this.acked, ...(named.length > 0 && { named }) };
    this.moves.push({ n: call.n, kind, args: call.args, answered });
    return answered;
  }

  private decide<K extends CallKind>(
    kind: K,
    call: Call<K>,
  ): { answer: CallAnswers[K]; named: readonly NamedMessage[] } {
    const settled = kind === 'settle' && !this.end ? this.script.settle?.({}, call as Call<'settle'>) : undefined;
    if (settled?.kind === 'ended') this.end = { state: settled.state, reason: settled.reason };
    const open = settled?.kind === 'open' ? settled : undefined;
    const ending = !open && (this.end !== undefined || kind === 'settle' || (kind === 'record' && isEnd(call.args)));
    const waiting = [...this.inbox.values()].filter((row) => row.as === undefined);
    // While an effect keeps a cancel from ending, only what could settle it is taken.
    const fresh = open ? waiting.filter(({ message: { kind: said } }) => settles.includes(said)) : waiting;
    const heard: Heard = { fresh, suspend: false, resume: false };
    for (const row of fresh) {
      row.as = this.hear(row.message, ending, call, heard) ? 'taken' : 'rejected';
      row.takenBy = call.n;
    }
    const asked = [...(call.wakes ?? []), ...(call.messages ?? []).map(({ id }) => id)];
    const ids = new Set([...fresh.map(({ message }) => message.id), ...asked]);
    const named = [...ids].flatMap((id): NamedMessage[] => {
      const row = this.inbox.get(id);
      if (!row) return [{ id, as: 'unknown' }];
      return row.as ? [{ id, as: row.as }] : [];
    });
    const answer = open ?? this.reply(kind, call, heard);
    this.remember(kind, call, answer);
    return { answer: answer as CallAnswers[K], named };
  }

  /** Whether the message is taken, and not rejected. */
  private hear(message: Message, ending: boolean, call: Call, heard: Heard): boolean {
    if (ending) return message.kind === 'cancel';
    switch (message.kind) {
      case 'say':
      case 'cancel':
      case 'childEnded':
        return true;
      case 'effectSettled':
        this.isBlocked = false;
        return true;
      case 'unknown':
        return false;
      case 'suspend':
        heard.suspend ||= this.path.at(-1) !== 'SUSPENDED';
        return this.path.at(-1) !== 'SUSPENDED';
      case 'resume':
        heard.resume ||= isSuspended(call.args);
        return isSuspended(call.args);
      case 'approve':
      case 'deny': {
        const { actionId: named, binding } = message.body;
        const request = [...this.requests.values()].find((one) => one.actionId === named || one.binding === binding);
        if (request?.state !== 'open' || call.now >= request.expiresAt) return false;
        request.state = message.kind === 'approve' ? 'granted' : 'denied';
        return true;
      }
      case 'reconcile': {
        const open = this.isOpen;
        this.isOpen = false;
        return open;
      }
    }
  }

  private reply(kind: CallKind, call: Call, heard: Heard): CallAnswers[CallKind] {
    const has = (wanted: Message['kind']) =>
      heard.fresh.some(({ message }) => message.kind === wanted) || this.tookBeside(call, wanted);
    if (kind === 'settle') {
      this.end ??= { state: 'CANCELLED', reason: 'cancelled' };
      return { kind: 'ended', ...this.end };
    }
    if (kind === 'record') {
      const args = call.args as CallArgs['record'];
      const goesOn = args.at === 'end' && !this.end ? this.script.record?.(args, call as Call<'record'>) : undefined;
      if (goesOn && goesOn.kind !== 'none') return goesOn; // what was heard, or a budget, is a reason to go on
      if (args.at === 'end') this.end ??= { state: args.state, reason: args.reason };
      if (this.end) return { kind: 'ended', ...this.end };
      if (has('cancel')) return { kind: 'cancel' };
      if (heard.suspend) return { kind: 'suspend' };
      if (heard.resume) return { kind: 'resume' };
      if (args.at === 'pause' && args.state === 'WAITING_FOR_USER' && has('say')) {
        this.turn += 1;
        return { kind: 'said', turn: this.turn };
      }
    } else if (has('cancel')) return { kind: 'interrupted' };
    else if (heard.suspend || this.tookBeside(call, 'suspend')) return { kind: 'interrupted', suspend: true };
    const decide = this.script[kind] as ((args: unknown, call: Call) => CallAnswers[CallKind]) | undefined;
    if (decide) return decide(call.args, call);
    return kind === 'record' ? this.plainRecord(call as Call<'record'>) : plainAnswers[kind];
  }

  /** M5: what stops one of several calls side by side stops the others. */
  private tookBeside({ beside }: Call, wanted: Message['kind']): boolean {
    return [...this.inbox.values()].some(
      ({ message, as, takenBy = 0 }) =>
        beside !== undefined && message.kind === wanted && as === 'taken' && takenBy >= beside,
    );
  }

  private plainRecord({ ref, args, now }: Call<'record'>): CallAnswers['record'] {
    if (args.at === 'repair') return { kind: 'repair' };
    if (args.at !== 'wait') return { kind: 'none' };
    const request = this.requests.get(actionId(ref.id, args.step, args.index));
    if (args.state === 'WAITING_FOR_APPROVAL' && request?.state === 'open' && now >= request.expiresAt)
      request.state = 'expired';
    const waits = {
      WAITING_FOR_APPROVAL: request?.state === 'open',
      WAITING_FOR_EFFECT: this.isBlocked,
      RECONCILING: this.isOpen,
    };
    return { kind: waits[args.state] ? 'none' : 'go' };
  }

  /** What an answer about an action leaves behind for the wait after it. */
  private remember(kind: CallKind, call: Call, answer: CallAnswers[CallKind]): void {
    if (kind === 'settle' && answer.kind === 'ended')
      for (const request of this.requests.values()) if (request.state === 'open') request.state = 'voided';
    if (kind !== 'act') return;
    const { step, index } = call.args as CallArgs['act'];
    if (answer.kind === 'needs_approval') {
      this.request = { ...answer, actionId: actionId(call.ref.id, step, index), state: 'open' };
      this.requests.set(this.request.actionId, this.request);
    }
    this.isOpen = answer.kind === 'unknown' || (answer.kind === 'gave_up' && answer.unknown === true);
    this.isBlocked = answer.kind === 'target_busy';
  }
}

type PlainKind = Exclude<CallKind, 'record' | 'settle'>;

const plainAnswers = {
  prepare: { kind: 'ready', snapshot: 's0' },
  think: { kind: 'proposal', stop: { kind: 'finish', status: 'done' }, actions: [] },
  compact: { kind: 'compacted', by: 'summary' },
  act: { kind: 'observed', ok: true },
  probe: { kind: 'probed', next: 'act' },
  verify: { kind: 'checked', met: true, feedback: true },
  verifySealed: { kind: 'checked', met: true },
  commit: { kind: 'committed' },
} as const satisfies { [K in PlainKind]: CallAnswers[K] };

const settles: readonly Message['kind'][] = ['cancel', 'reconcile'];
const isEnd = (args: unknown) => (args as CallArgs['record']).at === 'end';
const isSuspended = (args: unknown) => {
  const record = args as CallArgs['record'];
  return record.at === 'pause' && record.state === 'SUSPENDED';
};
