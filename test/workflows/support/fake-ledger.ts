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
import type { Message } from '../../../src/protocol/messages';

/** What a test decides: the answer of a call that nobody has made before. Messages come first, as in the real ledger. */
export type Script = { [K in CallKind]?: (args: CallArgs[K], call: Call<K>) => CallAnswers[K] };

export class MismatchError extends Error {}

interface Row {
  readonly message: Message;
  takenBy?: number;
  as?: 'taken' | 'rejected';
}

/**
 * The move log and the inbox in memory, by the rules of protocol.md: one answer a number, compared by kind and arguments
 * (M1); messages inserted by their own id and disposed of once (M4); riders landed once and in order (M7); one end (M8).
 */
export class FakeLedger {
  readonly moves: { n: number; kind: CallKind; args: unknown; answered: Answered }[] = [];
  readonly inbox = new Map<string, Row>();
  /** Every state passed, put together from the riders. */
  readonly path: AttemptState[] = ['CREATED'];
  acked = 0;
  turn = 1;
  end: { state: EndState; reason: Reason } | undefined;
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
    const move = this.moves[call.n - 1];
    if (move === undefined) {
      if (call.n !== this.moves.length + 1) throw new MismatchError(`move ${call.n} comes after ${this.moves.length}`);
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
    const fresh = [...this.inbox.values()].filter((row) => row.as === undefined);
    const ending = this.end !== undefined || kind === 'settle' || (kind === 'record' && isEnd(call.args));
    for (const row of fresh) {
      const { kind: said } = row.message;
      row.as = said === 'unknown' || (ending && said === 'say') ? 'rejected' : 'taken';
      row.takenBy = call.n;
    }
    const asked = [...(call.wakes ?? []), ...(call.messages ?? []).map(({ id }) => id)];
    const ids = new Set([...fresh.map(({ message }) => message.id), ...asked]);
    const named = [...ids].map((id): NamedMessage => ({ id, as: this.inbox.get(id)?.as ?? 'unknown' }));
    return { answer: this.reply(kind, call, fresh), named };
  }

  private reply<K extends CallKind>(kind: K, call: Call<K>, fresh: readonly Row[]): CallAnswers[K] {
    const has = (wanted: Message['kind']) => fresh.some(({ message }) => message.kind === wanted);
    const give = (answer: CallAnswers[CallKind]) => answer as CallAnswers[K];
    if (kind === 'settle') {
      this.end ??= { state: 'CANCELLED', reason: 'cancelled' };
      return give({ kind: 'ended', ...this.end });
    }
    if (kind === 'record') {
      const args = call.args as CallArgs['record'];
      if (args.at === 'end') this.end ??= { state: args.state, reason: args.reason };
      if (this.end) return give({ kind: 'ended', ...this.end });
      if (has('cancel')) return give({ kind: 'cancel' });
      if (args.at === 'pause' && has('say')) {
        this.turn += 1;
        return give({ kind: 'said', turn: this.turn });
      }
    } else if (has('cancel')) return give({ kind: 'interrupted' });
    const decide = this.script[kind];
    if (decide) return decide(call.args, call);
    return give(kind === 'record' ? plainRecord(call.args as CallArgs['record']) : plainAnswers[kind as PlainKind]);
  }
}

type PlainKind = 'prepare' | 'think' | 'act' | 'probe' | 'verify' | 'commit';

const plainAnswers = {
  prepare: { kind: 'ready', snapshot: 's0' },
  think: { kind: 'proposal', stop: { kind: 'finish', status: 'done' }, actions: [] },
  act: { kind: 'observed', ok: true },
  probe: { kind: 'probed', next: 'act' },
  verify: { kind: 'checked', met: true, feedback: true },
  commit: { kind: 'committed' },
} as const satisfies { [K in PlainKind]: CallAnswers[K] };

const plainRecord = (args: CallArgs['record']): CallAnswers['record'] => ({
  kind: args.at === 'repair' ? 'repair' : 'none',
});
const isEnd = (args: unknown) => (args as CallArgs['record']).at === 'end';
