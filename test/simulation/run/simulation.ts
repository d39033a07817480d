import type { RevocationKind } from '../../../src/activities/ledger-port';
import { actionId } from '../../../src/protocol/ids';
import { seeded } from '../../support/seeded';
import { testVersions } from '../../support/test-versions';
import { identityOf } from '../engine/decision';
import { Flow } from '../engine/flow';
import { Process } from '../engine/process';
import { elsewhere, type Owner, Scheduler } from '../engine/scheduler';
import { Server } from '../engine/server';
import { useVirtualTime } from '../engine/virtual-time';
import { MemoryLedger } from '../memory/ledger';
import { startInMemory } from '../memory/start';
import { type EffectRecord, placeKey } from '../memory/tables';
import { modelOf, modelTimeoutMs, type Script } from '../outside/model';
import { Outside, type Request } from '../outside/outside';
import { policy } from '../outside/policy';
import { toolsOf } from '../outside/tools';
import { checkApprovals } from './approval-rules';
import { checkLedger } from './ledger-rules';
import { Messenger } from './messenger';
import { checkOutside, checkSend } from './outside-rules';
import { People } from './people';
import type { Plan } from './plan';
import { checkReads } from './read-rules';
import { RevisionRules } from './revision-rules';
import { Trouble, type Troubled } from './trouble';
import { type Violation, Violations } from './violations';
import { noArtifacts, noWorkspaces, startOf } from './world';

/** Five times what any schedule has needed that got on: whoever has not ended by then waits for ever. */
const stepsMax = 8_000;
/** After the last end: time for what was stopped, is under way or waits for a limit. */
const tailSteps = 8_000;

/** What is read before a send may take longer than a lease, ms. */
const slowPrepareMs = 3_500;
const slowPrepareShare = 0.3;

export interface Report {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  readonly steps: number;
  readonly redecisions: number;
  /** What each attempt was told of its actions, in their order. */
  readonly observed: Readonly<Record<string, readonly string[]>>;
  /** How much of each thing the schedule had, for whoever asks what schedules reach. */
  readonly reached: Readonly<Record<string, number>>;
}

/** Runs one schedule from beginning to end, in virtual time, and says what it broke. */
export async function simulate(plan: Plan, traced = false): Promise<Report> {
  return await new Simulation(plan, traced).run();
}

class Simulation implements Troubled {
  readonly found = new Violations();
  readonly scheduler: Scheduler;
  readonly ledger: MemoryLedger;
  readonly server: Server;
  readonly outside: Outside;
  readonly messenger: Messenger;
  processes: Process[] = [];
  /** The ledger cannot be reached until then, ms. */
  awayUntilMs = 0;

  private readonly trouble: Trouble;
  private readonly identities = new Map<string, string>();
  private readonly revisions = new RevisionRules();
  private readonly scripts: ReadonlyMap<string, Script>;
  private readonly revocations: { value: string; kind: RevocationKind; atMs: number }[] = [];
  private modelCalls = 0;
  private summaries = 0;
  private spawned = 0;
  private broken = false;

  constructor(
    readonly plan: Plan,
    traced: boolean,
  ) {
    this.scheduler = new Scheduler(
      seeded(plan.seed),
      traced,
      () => this.onTime(),
      (what) => this.trouble.onPoint(what),
    );
    this.ledger = new MemoryLedger(
      () => this.scheduler.nowMs,
      (attempt) => this.onCommit(attempt),
    );
    this.server = new Server(this.scheduler, () => this.processes, {
      onCall: (flow, kind, call) => this.onCall(flow, call.n, identityOf(kind, call)),
      onBug: (flow, error) => this.onBug(flow, error),
      onThrown: (flow, what) => this.found.add('M2', `an activity of ${flow.name} threw ${what}`),
    });
    this.outside = new Outside(
      this.scheduler,
      (request) => plan.requests[request] ?? 'answers',
      (probe) => plan.probes[probe] ?? 'tells',
      (look) => plan.beside?.looks[look] ?? 'answers',
      (request) => this.onSend(request),
      (request) => this.onRepeat(request),
    );
    this.messenger = new Messenger(this.scheduler, this.server, this.ledger, this.outside);
    this.trouble = new Trouble(plan.events, this);
    this.scripts = new Map(plan.attempts.map((script, i) => [`a${i}/1`, script]));
  }

  async run(): Promise<Report> {
    const backToReal = useVirtualTime(this.scheduler);
    try {
      for (let i = 0; i < this.plan.processes; i += 1) this.spawn();
      for (const [i, script] of this.plan.attempts.entries()) this.start(i, script);
      const people = new People(
        this.scheduler,
        this.ledger,
        this.messenger,
        () => this.server.flows,
        () => this.processes.some(({ state }) => state === 'running') && !this.isAway(),
      );
      await this.untilEnded();
      people.stop();
      await this.tail();
      if (!this.broken) this.check();
    } finally {
      backToReal();
    }
    const { trace, steps } = this.scheduler;
    const redecisions = this.server.flows.reduce((sum, flow) => sum + flow.redecisions, 0);
    const [observed, reached] = [this.observed(), this.reached()];
    return { plan: this.plan, violations: this.found.found, trace, steps, redecisions, observed, reached };
  }

  isAway(): boolean {
    return this.scheduler.nowMs < this.awayUntilMs;
  }

  spawn(): void {
    this.spawned += 1;
    const process = new Process(
      `P${this.spawned}`,
      this.scheduler,
      this.ledger,
      () => this.isAway(),
      (owner) => this.portsOf(owner),
    );
    this.processes = [...this.processes.filter(({ state }) => state !== 'gone'), process];
  }

  revoke(kind: RevocationKind, value: string): void {
    this.scheduler.note(elsewhere, `revokes ${kind} ${value}`);
    this.ledger.tables.revocations.push({ tenant: 'default', kind, value, reason: 'No more.', by: 'ana' });
    this.revocations.push({ kind, value, atMs: this.scheduler.nowMs });
  }

  private portsOf(owner: Owner) {
    const { scheduler, plan } = this;
    const nextBehaviour = () => {
      this.modelCalls += 1;
      return plan.models[this.modelCalls] ?? 'answers';
    };
    const nextSummary = () => {
      this.summaries += 1;
      return plan.summaries?.[this.summaries];
    };
    const onPrepare = (of: Owner) =>
      new Promise<void>((resolve) => {
        if (scheduler.chance(slowPrepareShare)) scheduler.later(of, slowPrepareMs, 'prepares for long', resolve);
        else scheduler.soon(of, 'prepares', resolve);
      });
    return {
      models: modelOf(owner, scheduler, {
        scripts: this.scripts,
        quick: plan.quickModel,
        contextTokens: plan.contextTokens,
        nextBehaviour,
        nextSummary,
        proposed: (attempt) => this.proposed(attempt),
      }),
      tools: toolsOf(owner, this.outside, plan.tools, onPrepare, plan.beside?.quick),
      policy,
      workspaces: noWorkspaces,
      artifacts: noArtifacts,
      versions: testVersions,
    };
  }

  private proposed(attempt: string): number {
    const own = [...this.ledger.tables.attempts.values()].find(({ head }) => head.row.ref.id === attempt);
    return own?.steps.size ?? 0;
  }

  private start(i: number, script: Script): void {
    if (script.length === 0) return; // taken out of the plan
    const start = startOf(`a${i}`, this.plan, modelTimeoutMs);
    const ref = startInMemory(this.ledger, start);
    const flow = new Flow(`a${i}`, ref, { v: 1, ref, start: start.snapshot }, this.plan.seed + i);
    this.scheduler.soon(elsewhere, `starts a${i}`, () => this.server.start(flow));
  }

  private async untilEnded(): Promise<void> {
    const open = () =>
      this.server.flows.length <
        this.scripts.size - [...this.scripts.values()].filter(({ length }) => length === 0).length ||
      this.server.flows.some(({ result }) => !result);
    while (open() && !this.broken) {
      if (this.scheduler.steps > stepsMax) {
        this.broken = true;
        this.found.add('R2', `waits for ever: ${this.waiting()}`);
        return;
      }
      this.trouble.onStep(this.scheduler.steps);
      if (!(await this.scheduler.step())) {
        this.broken = true;
        this.found.add('R2', `nothing moves any more: ${this.waiting()}`);
      }
    }
  }

  private waiting(): string {
    return this.server.flows
      .filter(({ result }) => !result)
      .map(({ name, ref }) => `${name} in ${this.ledger.tables.attempts.get(ref.key)?.head.row.state}`)
      .join(', ');
  }

  /** Whoever was stopped wakes; whatever is under way arrives. */
  private async tail(): Promise<void> {
    for (const process of this.processes) process.wake();
    for (let i = 0; i < tailSteps && !this.broken && !this.scheduler.idle; i += 1) {
      if (!(await this.scheduler.step())) return;
    }
  }

  private check(): void {
    checkLedger(this.ledger, this.found);
    checkOutside(this.ledger, this.outside, this.found);
    checkApprovals(this.ledger, this.found);
    checkReads(this.ledger, this.outside, this.found);
    this.checkTyped();
    for (const { name, result, ref } of this.server.flows) {
      const row = this.ledger.tables.attempts.get(ref.key)?.head.row;
      const same = result?.state === row?.state && result?.reason === row?.reason;
      this.found.expect(same, 'M8', () => `${name} returned ${result?.state} and its row says ${row?.state}`);
    }
  }

  /** M4: what was typed by hand gets as far as the ledger, and whoever sent an update has an answer. */
  private checkTyped(): void {
    for (const { flow, id, update } of this.messenger.typed) {
      const row = this.ledger.tables.attempts.get(flow.ref.key)?.inbox.get(id);
      this.found.expect(row !== undefined, 'M4', () => `${flow.name}: ${id} was lost`);
      const answered = update === undefined || flow.replies.has(update);
      this.found.expect(answered, 'M4', () => `${flow.name}: update ${update} has no answer`);
    }
  }

  private onTime(): void {
    for (const process of this.processes) process.renew();
  }

  private onCommit(attempt: number): void {
    this.revisions.check(this.ledger, attempt, this.found);
    const { deadlocks } = this.ledger.locks;
    this.found.expect(deadlocks === 0, 'E2', () => 'two transactions waited for each other');
  }

  /** M1, M3: whoever decides a number decides the same call. */
  private onCall(flow: Flow, n: number, identity: string): void {
    const name = `${flow.name} ${n}`;
    const known = this.identities.get(name) ?? identity;
    this.identities.set(name, known);
    this.found.expect(known === identity, 'M3', () => `move ${n} of ${flow.name} was ${known} and is now ${identity}`);
  }

  private onBug(flow: Flow, error: unknown): void {
    this.broken = true;
    this.found.add(
      'M3',
      `the workflow of ${flow.name} threw: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
    );
  }

  private onSend(request: Request): void {
    this.trouble.onPoint(`${this.scheduler.current?.name} SENDS`);
    checkSend(this.ledger, (row) => this.revokedAt(request, row), request, this.found);
  }

  /** When the first thing was revoked that lets this happen. */
  private revokedAt(request: Request, row: EffectRecord): number | undefined {
    const own = this.ledger.tables.attempts.get(row.attempt);
    const approval = `${placeKey(row.step, row.index)}.${row.approval}`;
    const answers = [...(own?.answers.values() ?? [])].filter(({ approval: of }) => of === approval);
    const values: Readonly<Record<RevocationKind, readonly string[]>> = {
      tool: [request.tool],
      target: [request.target],
      credential: ['bank'],
      principal: ['starter', ...answers.map(({ answer }) => answer.by)],
      approval: row.approval === null ? [] : [actionId(row.attemptId, row.step, row.index)],
    };
    return this.revocations.find(({ kind, value }) => values[kind].includes(value))?.atMs;
  }

  /** E7: whoever sends again must not undo what another wrote there since. What the network kept back is not ours. */
  private onRepeat(request: Request): void {
    const { applied } = this.outside;
    const first = applied.findIndex(({ key }) => key === request.key);
    const over = applied
      .slice(first + 1)
      .find(({ target, key, number }) => target === request.target && key !== request.key && number < request.number);
    this.found.expect(!over, 'E7', () => `${request.key} was set again over ${over?.key}`);
  }

  private observed(): Report['observed'] {
    const all = [...this.ledger.tables.attempts.values()].map(({ head, observations }) => {
      const inOrder = [...observations.values()].sort((a, b) => a.step - b.step || a.index - b.index);
      return [head.row.ref.id, inOrder.map(({ body }) => body.text)] as const;
    });
    return Object.fromEntries(all);
  }

  private reached(): Record<string, number> {
    const counts: Record<string, number> = {};
    const count = (name: string, by = 1) => {
      counts[name] = (counts[name] ?? 0) + by;
    };
    for (const own of this.ledger.tables.attempts.values()) {
      count(`ended ${own.head.row.state} ${own.head.row.reason}`);
      for (const { type } of own.events.values()) count(`event ${type}`);
      for (const { answered, kind } of own.moves.values()) count(`answer ${kind} ${answered.answer.kind}`);
    }
    count('looks beside others', this.outside.looksBeside);
    for (const { fate } of this.outside.requests) count(`request ${fate}`);
    for (const { phase, settledBy } of this.ledger.tables.effects.values()) count(`effect ${phase} by ${settledBy}`);
    return counts;
  }
}
