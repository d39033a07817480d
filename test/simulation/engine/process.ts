import { createAct } from '../../../src/activities/act';
import { createCompact } from '../../../src/activities/compact';
import type { ActivityDeps } from '../../../src/activities/deps';
import { Executions } from '../../../src/activities/executions';
import { createGiveUp } from '../../../src/activities/give-up';
import { LedgerUnavailableError } from '../../../src/activities/ledger-port';
import { createProbe } from '../../../src/activities/probe';
import { createRecord } from '../../../src/activities/record';
import { createSettle } from '../../../src/activities/settle';
import { createThink } from '../../../src/activities/think';
import { createVerify } from '../../../src/activities/verify';
import { createVerifySealed } from '../../../src/activities/verify-sealed';
import type { Answered, Call, CallKind } from '../../../src/protocol/calls';
import { endLeaseInMemory, registerInMemory, renewInMemory } from '../memory/leases';
import type { MemoryLedger, MemoryPort } from '../memory/ledger';
import type { Line } from '../memory/line';
import type { Work } from './decision';
import type { Owner, Scheduler } from './scheduler';

type Ports = Omit<ActivityDeps, 'ledger' | 'executions'>;
type Run = (call: Call, signal: AbortSignal) => Promise<Answered>;

/** How often something goes its way without anything between, so that schedules stay short. */
const atOnceShare = 0.5;

/** A worker process: the real activities over a connection and a lease of its own; it can be stopped, woken and killed. */
export class Process implements Owner {
  state: Owner['state'] = 'running';
  readonly executions = new Executions(() => this.lease);
  /** Its renewals do not arrive until then, ms; everything else does. */
  stalledUntilMs = 0;
  /** Answers and requests of its connection that are still to be lost. */
  cuts: { on: 'request' | 'reply'; left: number } | undefined;

  private lease: string;
  private readonly port: MemoryPort;
  private readonly runs: Readonly<Record<CallKind, Run>>;
  private readonly giveUp: ReturnType<typeof createGiveUp>;
  /** What it has sent goes on while it is stopped. */
  private readonly wire: Owner;

  constructor(
    readonly name: string,
    private readonly scheduler: Scheduler,
    private readonly ledger: MemoryLedger,
    private readonly isAway: () => boolean,
    ports: (owner: Owner) => Ports,
  ) {
    const running = () => (this.state === 'gone' ? 'gone' : 'running');
    this.wire = {
      name: `${name}>`,
      get state() {
        return running();
      },
    };
    this.lease = registerInMemory(ledger);
    this.port = ledger.port(this.line());
    const deps: ActivityDeps = { ...ports(this), ledger: this.port, executions: this.executions };
    this.runs = runsOf(deps);
    this.giveUp = createGiveUp(deps);
  }

  run(work: Work, signal: AbortSignal): Promise<Answered> {
    return work.kind === 'giveUp' ? this.giveUp(work.args) : this.runs[work.kind](work.call, signal);
  }

  /** A step of what it has sent. */
  onWire(what: string, run: () => unknown): void {
    this.scheduler.soon(this.wire, what, run);
  }

  renew(): void {
    if (this.state !== 'running' || this.isAway() || this.scheduler.nowMs < this.stalledUntilMs) return;
    if (!renewInMemory(this.ledger, this.lease, this.executions.ids())) this.lease = registerInMemory(this.ledger);
  }

  stop(): void {
    if (this.state === 'running') this.state = 'stopped';
  }
  wake(): void {
    if (this.state !== 'stopped') return;
    this.state = 'running';
    this.scheduler.soon(this, 'renews', () => this.renew());
  }
  /** `noticed`: a successor on its host ends the lease at once. */
  kill(noticed: boolean): void {
    this.state = 'gone';
    this.port.disconnect();
    if (noticed) endLeaseInMemory(this.ledger, this.lease);
  }

  private line(): Line {
    return {
      request: (what) => this.way(this.wire, 'request', what),
      reply: (what) => this.way(this, 'reply', what),
    };
  }

  private async way(owner: Owner, on: 'request' | 'reply', what: string): Promise<void> {
    const atOnce = this.state === 'running' && this.scheduler.current === this && this.scheduler.chance(atOnceShare);
    if (!atOnce) await new Promise<void>((resolve) => this.scheduler.soon(owner, `${on} ${what}`, resolve));
    const cut = this.cuts?.on === on && this.cuts.left > 0;
    if (cut && this.cuts) this.cuts.left -= 1;
    if (cut || this.isAway()) {
      this.scheduler.note(owner, `lost ${on} ${what}`);
      throw new LedgerUnavailableError('connection lost');
    }
  }
}

function runsOf(deps: ActivityDeps): Readonly<Record<CallKind, Run>> {
  const none = () => Promise.reject(new Error('Simulated attempts have no workspace.'));
  const as = <K extends CallKind>(run: (call: Call<K>, signal: AbortSignal) => Promise<Answered<K>>) =>
    run as unknown as Run;
  return {
    prepare: none,
    commit: none,
    think: as(createThink(deps)),
    compact: as(createCompact(deps)),
    act: as(createAct(deps)),
    probe: as(createProbe(deps)),
    verify: as(createVerify(deps)),
    verifySealed: as(createVerifySealed(deps)),
    record: as(createRecord(deps)),
    settle: as(createSettle(deps)),
  };
}
