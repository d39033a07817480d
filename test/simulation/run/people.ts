import type { Flow } from '../engine/flow';
import { elsewhere, type Scheduler } from '../engine/scheduler';
import { waitingApprovals } from '../memory/effect-reads';
import { storeInMemory } from '../memory/inbox';
import type { MemoryLedger } from '../memory/ledger';
import { attemptTables } from '../memory/reads';
import { effectKey } from '../memory/tables';
import type { Messenger } from './messenger';
import type { PlannedMessage } from './plan';

/** Somebody looks at what waits so often, ms, and the sweeper at what was left lying. */
const lookEveryMs = 4_000;
const sweepEveryMs = 2_000;
const unwokenAfterMs = 5_000;
/** Words that an attempt which waits for one gets before it is cancelled. */
const wordsMax = 2;

/** Those who answer what attempts ask, and the sweeper of the workers: nobody may need to wait for ever. */
export class People {
  private readonly words = new Map<Flow, number>();
  private stopped = false;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly ledger: MemoryLedger,
    private readonly messenger: Messenger,
    private readonly flows: () => readonly Flow[],
    private readonly workerRuns: () => boolean,
  ) {
    this.every(lookEveryMs, 'people look', (flow) => this.look(flow));
    this.every(sweepEveryMs, 'the sweeper looks', (flow) => void this.sweep(flow));
  }

  stop(): void {
    this.stopped = true;
  }

  private every(ms: number, what: string, look: (flow: Flow) => void): void {
    this.scheduler.later(elsewhere, ms, what, () => {
      if (this.stopped) return;
      for (const flow of this.flows()) if (!flow.result) look(flow);
      this.every(ms, what, look);
    });
  }

  private look(flow: Flow): void {
    if (this.scheduler.chance(0.3)) return; // not everybody looks at once
    const kind = this.wanted(flow);
    const way = this.scheduler.pick(['stored', 'typed', 'typed with an id'] as const) ?? 'stored';
    // Somebody who said yes says so again, where another is waited for.
    const wrong = this.scheduler.chance(0.2) ? ({ wrong: 'again' } as const) : {};
    if (kind) this.messenger.send(flow, { kind, way, ...wrong });
  }

  /** What the attempt waits for. */
  private wanted(flow: Flow): PlannedMessage['kind'] | undefined {
    const own = attemptTables(this.ledger.tables, flow.ref.key);
    const { state, reason, ended } = own.head.row;
    if (ended) return undefined;
    if (state === 'SUSPENDED' && this.scheduler.chance(0.5)) return 'resume';
    const asks = waitingApprovals(own).some((approval) => approval.state === 'open');
    if (asks) return this.scheduler.chance(0.85) ? 'approve' : 'deny';
    if (reason === 'reconcile_required' || state === 'CANCELLING' || state === 'RECONCILING') return 'reconcile';
    if (state !== 'WAITING_FOR_USER') return undefined;
    const words = this.words.get(flow) ?? 0;
    this.words.set(flow, words + 1);
    return words < wordsMax ? 'say' : 'cancel';
  }

  /** What a worker's sweeper does: wakes for messages that lie, and tells who waits that an effect is settled (M4, E7). */
  private async sweep(flow: Flow): Promise<void> {
    if (!this.workerRuns()) return;
    const { tables } = this.ledger;
    const own = attemptTables(tables, flow.ref.key);
    const wait = tables.effectWaits.get(flow.ref.key);
    const effect = wait && tables.effects.get(effectKey(wait.tenant, wait.ref));
    if (wait && effect && !['CLAIMED', 'SENT', 'UNKNOWN'].includes(effect.phase) && !own.head.row.ended) {
      const id = `effect/${effect.key}/g${effect.generation}`;
      const body = { effect: effectKey(wait.tenant, wait.ref) };
      await storeInMemory(this.ledger, flow.ref, { id, kind: 'effectSettled', body });
    }
    for (const { message, takenBy, at } of own.inbox.values()) {
      const due = message.kind === 'effectSettled' || at < this.scheduler.nowMs - unwokenAfterMs;
      if (takenBy === null && due) this.messenger.wake(flow, message);
    }
  }
}
