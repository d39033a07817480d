import { actionId } from '../../../src/protocol/ids';
import type { Message, MessageContent } from '../../../src/protocol/messages';
import type { Flow } from '../engine/flow';
import { elsewhere, type Scheduler } from '../engine/scheduler';
import type { Server } from '../engine/server';
import { newestApproval } from '../memory/effect-reads';
import { storeInMemory } from '../memory/inbox';
import type { MemoryLedger } from '../memory/ledger';
import { attemptTables } from '../memory/reads';
import { effectKey } from '../memory/tables';
import type { Outside } from '../outside/outside';
import { approvers } from '../outside/policy';
import type { PlannedMessage } from './plan';

/** What a limit is raised to that an attempt was stopped by: never reached again. */
const errorsMax = 1_000;

/** Sends messages to attempts in every way there is; what they say of the world is the truth when they are sent. */
export class Messenger {
  private sent = 0;
  /** What the server has taken and no row knew of. */
  readonly typed: { readonly flow: Flow; readonly id: string; readonly update?: string }[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    private readonly server: Server,
    private readonly ledger: MemoryLedger,
    private readonly outside: Outside,
  ) {}

  send(flow: Flow, { kind, way, wrong }: PlannedMessage): void {
    const content = this.content(flow, kind, wrong);
    if (!content) return;
    this.sent += 1;
    const message: Message = { id: `m${this.sent}`, ...content };
    this.scheduler.note(elsewhere, `${way}: ${kind} to ${flow.name} ${JSON.stringify(content.body)}`);
    switch (way) {
      case 'stored':
      case 'twice':
      case 'stored and not signalled':
        void this.store(flow, message, way !== 'stored and not signalled');
        if (way === 'twice') void this.store(flow, message, true);
        return;
      case 'typed':
        this.signal(flow, content.kind, content.body, undefined);
        return;
      case 'typed with an id':
        this.signal(flow, content.kind, { ...content.body, ...idFor(message) }, message.id);
        return;
      case 'update': {
        const id = message.id;
        if (this.server.deliver(flow, { kind: 'update', id, name: content.kind, argument: content.body }))
          this.typed.push({ flow, id: `update/${id}`, update: id });
      }
    }
  }

  /** Where the message has no id of its own, it is known by its place among the attempt's signals (M4). */
  private signal(flow: Flow, name: string, argument: object, id: string | undefined): void {
    if (!this.server.deliver(flow, { kind: 'signal', name, argument })) return;
    flow.signals += 1;
    this.typed.push({ flow, id: id ?? `signal/${flow.signals}` });
  }

  /** As the command line does: the row, then the wake-up. */
  private async store(flow: Flow, message: Message, signal: boolean): Promise<void> {
    const stored = await storeInMemory(this.ledger, flow.ref, message);
    if (signal && stored !== 'ended')
      this.scheduler.soon(elsewhere, `signals ${message.id} to ${flow.name}`, () => this.wake(flow, message));
  }

  wake(flow: Flow, { id, kind }: Pick<Message, 'id' | 'kind'>): void {
    if (this.server.deliver(flow, { kind: 'signal', name: kind, argument: { messageId: id } })) flow.signals += 1;
  }

  private content(
    flow: Flow,
    kind: PlannedMessage['kind'],
    wrong: PlannedMessage['wrong'],
  ): MessageContent | undefined {
    switch (kind) {
      case 'say':
        return { kind, body: { text: 'Go on.', by: 'ana' } };
      case 'revise':
        return { kind: 'say', body: { text: `Otherwise ${this.sent}.`, by: 'ana', revise: true } };
      case 'cancel':
      case 'suspend':
        return { kind, body: { by: 'ana' } };
      case 'resume':
        return { kind, body: { by: 'cleo', budget: { maxSameToolErrors: errorsMax } } };
      case 'approve':
      case 'deny':
        return this.answer(flow, kind, wrong);
      case 'reconcile':
        return this.word(flow);
    }
  }

  /** To the newest request of the attempt, whatever became of it; the first who may answer and has not. */
  private answer(flow: Flow, kind: 'approve' | 'deny', wrong: PlannedMessage['wrong']): MessageContent | undefined {
    const own = attemptTables(this.ledger.tables, flow.ref.key);
    const last = [...own.approvals.values()].at(-1);
    if (!last) return { kind, body: { actionId: actionId(flow.ref.id, 1, 0), by: 'ana' } };
    const answers = newestApproval(own, last.step, last.index)?.answers ?? [];
    const free = approvers.find((name) => !answers.some(({ by }) => by === name));
    const by = wrong === 'person' ? 'cleo' : ((wrong === 'again' ? answers[0]?.by : free) ?? 'ana');
    const action = actionId(flow.ref.id, last.step, wrong === 'action' ? last.index + 7 : last.index);
    const binding = wrong === 'binding' ? last.binding.replace(/./g, 'f') : last.binding;
    return { kind, body: { actionId: action, by, binding } };
  }

  /** R4.7: somebody looked, and says what is so; nothing where it cannot be told. */
  private word(flow: Flow): MessageContent | undefined {
    const open = [...this.ledger.tables.effects.values()].filter(
      ({ attempt, phase }) => attempt === flow.ref.key && phase === 'UNKNOWN',
    );
    const effect = open.at(-1);
    if (!effect) return undefined;
    const seen = this.outside.see(effectKey(effect.tenant, effect));
    if (seen === 'under way') return undefined;
    const id = actionId(flow.ref.id, effect.step, effect.index);
    return { kind: 'reconcile', body: { actionId: id, outcome: seen, by: 'cleo', evidence: 'I looked.' } };
  }
}

const idFor = ({ id, kind }: Message) =>
  kind === 'approve' || kind === 'deny' ? { decisionId: id } : { messageId: id };
