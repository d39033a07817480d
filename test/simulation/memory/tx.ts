import type { JobChange, JobRow, Place } from '../../../src/activities/job-rows';
import type {
  Approval,
  ApprovalAnswer,
  ApprovalKey,
  ApprovalState,
  AttemptChange,
  AttemptRow,
  AttemptTx,
  Body,
  BundleRow,
  ChildRow,
  CloseModelTry,
  CloseToolTry,
  EffectChange,
  EffectEvidence,
  EffectScene,
  EvidenceRow,
  ExecutionRow,
  InboxRow,
  Inserts,
  NewApproval,
  NewChild,
  NewEffect,
  OpenTry,
  OperationAsk,
  OwnEffect,
  RaceHold,
  RecordedAnswer,
  Revocation,
  RevocationAsk,
  SceneAsk,
  Standing,
  StoredBody,
  TransactionScope,
} from '../../../src/activities/ledger-port';
import type { StoredCheckpoint } from '../../../src/domain/checkpoint/read-checkpoint';
import type { Contract } from '../../../src/domain/contract/contract';
import type { Effect, EffectRef } from '../../../src/domain/effect/effect';
import { isRunning } from '../../../src/domain/job/job';
import type { TrailSoFar } from '../../../src/domain/progress/trail';
import type { Race } from '../../../src/protocol/attempt';
import type { Answered, CallKind } from '../../../src/protocol/calls';
import type { EventContent, Visibility } from '../../../src/protocol/events';
import { type AttemptRef, attemptId, taskOf } from '../../../src/protocol/ids';
import { hostLives } from './bundles';
import * as children from './children';
import * as effects from './effect-reads';
import { kinOf } from './kin';
import type { Line } from './line';
import type { Locks } from './locks';
import * as reads from './reads';
import { type AttemptTables, type EffectRecord, effectKey, placeKey, type Tables } from './tables';
import { readTrail } from './trail';
import { Writes } from './writes';

/** One transaction: reads see what is committed, writes are kept until the commit. */
export class MemoryTx implements AttemptTx {
  readonly n: number;
  readonly writes: Writes;
  private readonly facts: reads.Facts;
  private readonly newMessages = new Set<string>();
  private scene: SceneAsk | undefined;
  private counted = false;

  constructor(
    private readonly tables: Tables,
    private readonly locks: Locks,
    /** In whose name locks are held. */
    private readonly owner: object,
    private readonly line: Line,
    private readonly now: () => number,
    key: number,
    scope: TransactionScope,
  ) {
    this.n = scope.n;
    this.facts = reads.readFacts(tables, key, scope, now());
    this.writes = new Writes(tables, key, scope.n, this.facts.nextK, now);
  }

  get attempt(): AttemptRow {
    return this.facts.attempt;
  }
  get answered(): RecordedAnswer | undefined {
    return this.facts.answered;
  }
  get execution(): ExecutionRow | undefined {
    return this.facts.execution;
  }
  get messages(): readonly InboxRow[] {
    return this.facts.messages;
  }
  get lastInput(): number {
    return this.facts.lastInput;
  }
  get lastMessageInput(): number {
    return this.facts.lastMessageInput;
  }
  private get key(): number {
    return this.facts.attempt.ref.key;
  }
  private get tenant(): string {
    return this.facts.attempt.ref.tenant;
  }
  private get root(): number {
    return this.attempt.child?.root ?? this.key;
  }
  private get own(): AttemptTables {
    return reads.attemptTables(this.tables, this.key);
  }

  private async read<T>(what: string, look: () => T | Promise<T>): Promise<T> {
    await this.line.request(what);
    const seen = await look();
    await this.line.reply(what);
    return seen;
  }

  modelTry(step: number, tryNumber: number): Promise<OpenTry | undefined> {
    return this.read('model try', () => reads.newestModelTry(this.own, step, tryNumber));
  }
  toolTry(step: number, index: number, tryNumber: number): Promise<OpenTry | undefined> {
    return this.read('tool try', () => reads.newestToolTry(this.own, step, index, tryNumber));
  }
  trail(): Promise<TrailSoFar> {
    return this.read('trail', () => readTrail(this.own));
  }
  triedSnapshots(step: number, index: number): Promise<readonly string[]> {
    return this.read('tried snapshots', () => reads.triedSnapshots(this.own, step, index));
  }
  unobserved(): Promise<readonly { readonly index: number; readonly tool: string }[]> {
    return this.read('unobserved', () => reads.unobservedActions(this.own));
  }
  taskState(): Promise<unknown> {
    return this.read('task state', () => reads.newestTaskState(this.own));
  }
  contract(): Promise<Contract> {
    return this.read('contract', () => this.writes.contract(this.taskName, this.attempt.contractVersion));
  }
  newContract(contract: Contract): Promise<number> {
    return this.read('new contract', async () => {
      await this.locks.take(`start ${this.taskName}`, this.owner);
      return this.writes.newContract(this.taskName, contract);
    });
  }
  private get taskName(): string {
    return `${this.tenant}/${taskOf(this.attempt.ref.id)}`;
  }
  evidence(candidate: number): Promise<readonly EvidenceRow[]> {
    return this.read('evidence', () => reads.evidenceOf(this.own, candidate));
  }
  newestEvidence(): Promise<readonly EvidenceRow[]> {
    return this.read('evidence', () => reads.evidenceOf(this.own, reads.newestCandidate(this.own)));
  }
  otherExecutions(): Promise<number> {
    return this.read('executions', () => reads.otherExecutions(this.tables, this.own, this.n, this.now()));
  }

  hostLives(host: string): Promise<boolean> {
    return this.read('host', () => hostLives(this.tables, host, this.now()));
  }

  tenantCost(since: Date | undefined): Promise<number> {
    return this.read('tenant cost', async () => {
      await this.locks.take(`cost ${this.tenant}`, this.owner);
      return reads.costOf(this.tables, this.tenant, since?.getTime() ?? 0);
    });
  }

  kinRepairs(): Promise<number> {
    if (!this.facts.hasKin) return Promise.resolve(0);
    return this.read('kin repairs', async () => {
      await this.locks.take(`repairs ${this.taskName}`, this.owner);
      const repairs = kinOf(this.tables, this.key).map(
        (key) => reads.attemptTables(this.tables, key).head.row.account.repairs,
      );
      return repairs.reduce((sum, one) => sum + one, 0);
    });
  }

  standing(): Promise<Standing> {
    return this.read('standing', () => reads.standingOf(this.tables, this.own, effects.madeBy(this.tables, this.key)));
  }
  newestCheckpoint(): Promise<StoredCheckpoint | undefined> {
    return this.read('newest checkpoint', () => reads.newestCheckpoint(this.own));
  }
  newestVersions(): Promise<unknown> {
    return this.read('newest versions', () => [...this.own.versions.values()].at(-1)?.body);
  }
  kinKey({ tool, argsHash }: OperationAsk, step: number, index: number): Promise<string | undefined> {
    if (this.scene || this.counted) throw new Error('Kin were asked after an effect was looked at.');
    if (!this.facts.hasKin) return Promise.resolve(undefined);
    return this.read('kin key', async () => {
      await this.locks.take(`operation ${this.taskName} ${tool} ${argsHash}`, this.owner);
      return effects.kinKey(this.tables, this.key, { tool, argsHash, step, index });
    });
  }

  /** Order of locks in all of a ledger: attempt, operation, target, key, calls, cost. Rows of effects are not locked (Writes I3). */
  async effectScene(ask: SceneAsk): Promise<EffectScene> {
    this.keepOrder(ask);
    return this.read('effect scene', async () => {
      await this.locks.take(`target ${this.tenant} ${ask.target}`, this.owner);
      await this.locks.take(`key ${this.tenant} ${ask.key}`, this.owner);
      const own = effects.ownRecord(this.tables, this.key, ask.step, ask.index);
      return {
        own: this.seen(own),
        newest: this.seen(effects.newestRecord(this.tables, this.tenant, ask.key)),
        blocker: this.seen(effects.blockerRecord(this.tables, this.tenant, ask, this.now())),
        sends: own ? effects.sendsOf(this.own, own.step, own.index) : [],
      };
    });
  }
  private keepOrder(ask: SceneAsk): void {
    if (this.counted) throw new Error('The calls of a tool were counted before its effect was looked at.');
    const { scene } = this;
    if (scene && (scene.key !== ask.key || scene.target !== ask.target))
      throw new Error('A transaction looks at one target and one key.');
    this.scene = ask;
  }
  effectOf(step: number, index: number): Promise<OwnEffect | undefined> {
    return this.read('own effect', () => {
      const effect = this.seen(effects.ownRecord(this.tables, this.key, step, index));
      return effect && { effect, sends: effects.sendsOf(this.own, step, index) };
    });
  }
  ownEffects(): Promise<readonly Effect[]> {
    return this.read('own effects', () =>
      [...this.tables.effects.values()].filter(({ attempt }) => attempt === this.key).map((row) => this.seen(row)),
    );
  }
  effect(ref: EffectRef): Promise<Effect | undefined> {
    return this.read('effect', () => this.seen(this.tables.effects.get(effectKey(this.tenant, ref))));
  }
  waitedEffect(): Promise<Effect | undefined> {
    return this.read('waited effect', () => {
      const wait = this.tables.effectWaits.get(this.key);
      return this.seen(wait && this.tables.effects.get(effectKey(wait.tenant, wait.ref)));
    });
  }
  cancelRequestedAt(): Promise<Date | undefined> {
    return this.read('cancel requested', () => {
      const taken = [...this.own.inbox.values()].filter(
        ({ message, disposition }) => message.kind === 'cancel' && disposition === 'taken',
      );
      return taken.length === 0 ? undefined : new Date(Math.min(...taken.map(({ at }) => at)));
    });
  }
  private seen(record: EffectRecord): Effect;
  private seen(record: EffectRecord | undefined): Effect | undefined;
  private seen(record: EffectRecord | undefined): Effect | undefined {
    if (!record) return undefined;
    this.writes.noteRead(this.tenant, record);
    return effects.seenEffect(this.tables, record, this.now());
  }

  revoked(of: readonly RevocationAsk[]): Promise<Revocation | undefined> {
    return this.read('revocations', () => {
      const met = this.tables.revocations.find(
        ({ tenant, kind, value }) =>
          tenant === this.tenant && of.some((asked) => asked.kind === kind && asked.value === value),
      );
      if (!met) return undefined;
      const { tenant: _tenant, ...revocation } = met;
      return revocation;
    });
  }
  callsWithin(tool: string, withinMs: number): Promise<number> {
    this.counted = true;
    return this.read('calls', async () => {
      await this.locks.take(`calls ${this.tenant} ${tool}`, this.owner);
      return effects.countCalls(this.tables, this.tenant, tool, this.now() - withinMs);
    });
  }
  approval(step: number, index: number): Promise<Approval | undefined> {
    return this.read('approval', () => effects.newestApproval(this.own, step, index));
  }
  waitingApprovals(): Promise<readonly Approval[]> {
    return this.read('approvals', () => effects.waitingApprovals(this.own));
  }
  deniedBefore(tool: string, argsHash: string, step: number, index: number): Promise<{ code: string } | undefined> {
    return this.read('denials', () => effects.deniedBefore(this.own, tool, argsHash, step, index));
  }
  observationOf(of: Pick<Effect, 'attempt' | 'step' | 'index'>): Promise<{ ok: boolean; text: string } | undefined> {
    return this.read('observation', () => {
      const seen = this.ofTenant(of.attempt)?.observations.get(placeKey(of.step, of.index));
      return seen && { ok: seen.ok, text: seen.body.text };
    });
  }
  argumentsOf(of: Pick<Effect, 'attempt' | 'step' | 'index'>): Promise<Body | undefined> {
    return this.read('arguments', () => this.ofTenant(of.attempt)?.actions.get(placeKey(of.step, of.index))?.args);
  }
  private ofTenant(attempt: number): AttemptTables | undefined {
    const other = this.tables.attempts.get(attempt);
    return other?.head.row.ref.tenant === this.tenant ? other : undefined;
  }
  hasPassed(since: Date, ms: number): Promise<boolean> {
    return this.read('clock', () => this.now() - since.getTime() >= ms);
  }

  holdRace(): Promise<RaceHold> {
    return this.read('hold race', () => {
      const { name } = this.race;
      if (!this.locks.tryTake(`race ${name}`, this.owner)) return 'busy';
      const holder = this.tables.races.get(name);
      const held = holder === undefined ? undefined : reads.attemptTables(this.tables, holder).head.row;
      if (held && holder !== this.key) {
        if (held.state === 'COMPLETED') return 'lost';
        if (!held.ended) return 'busy';
      }
      this.writes.holdRace(name, this.key);
      return 'mine';
    });
  }
  leaveRace(): Promise<void> {
    const { name } = this.race;
    if (this.tables.races.get(name) === this.key) this.writes.holdRace(name, undefined);
    return Promise.resolve();
  }
  cancelRivals(reason: string): Promise<void> {
    return this.read('cancel rivals', async () => {
      const { first, of } = this.race;
      for (let number = first; number < first + of; number += 1) {
        const rival = this.named(number);
        if (!rival || rival.head.row.ref.key === this.key) continue;
        await this.locks.take(`attempt ${rival.head.row.ref.key}`, this.owner);
        if (rival.head.row.ended) continue;
        const id = `race/${this.attempt.ref.id}`;
        this.writes.sendTo(rival, { id, kind: 'cancel', body: { by: 'holdfast', reason } });
      }
    });
  }
  private get race(): Race & { readonly name: string } {
    const { race } = this.attempt.start;
    if (!race) throw new Error(`${this.attempt.ref.id} was begun alone.`);
    return { ...race, name: `${this.taskName}/${race.first}` };
  }
  private named(number: number): AttemptTables | undefined {
    const id = attemptId(taskOf(this.attempt.ref.id), number);
    return [...this.tables.attempts.values()].find(
      ({ head: { row } }) => row.ref.tenant === this.tenant && row.ref.id === id,
    );
  }
  openChildren(): Promise<readonly ChildRow[]> {
    return this.read('open children', () => children.openChildren(this.tables, this.own));
  }
  liveChildren(): Promise<number> {
    return this.read('live children', async () => {
      await this.locks.take(`children ${this.root}`, this.owner);
      return children.liveUnder(this.tables, this.root);
    });
  }
  newChild(child: NewChild): Promise<AttemptRef> {
    return this.read('new child', async () => {
      await this.locks.take(`start ${this.tenant}/${child.task}`, this.owner);
      return this.writes.newChild(child, this.attempt);
    });
  }

  job({ step, index }: Place): Promise<JobRow | undefined> {
    return this.read('job', () => this.withTool(this.own.jobs.get(placeKey(step, index))));
  }
  unobservedJobs(step: number): Promise<readonly JobRow[]> {
    return this.read('unobserved jobs', () =>
      [...this.own.jobs.values()]
        .filter((job) => job.step === step && !this.own.observations.has(placeKey(step, job.index)))
        .sort((a, b) => a.index - b.index)
        .flatMap((job) => this.withTool(job) ?? []),
    );
  }
  runningJobs(): Promise<readonly JobRow[]> {
    return this.read('running jobs', () =>
      [...this.own.jobs.values()]
        .filter(isRunning)
        .sort((a, b) => a.step - b.step || a.index - b.index)
        .flatMap((job) => this.withTool(job) ?? []),
    );
  }
  isJobToken({ step, index }: Place, hash: string): Promise<boolean> {
    return this.read('job token', () => this.own.jobTokens.has(`${placeKey(step, index)} ${hash}`));
  }
  changeJob(of: Place, change: JobChange): void {
    this.writes.changeJob(of, change);
  }
  private withTool(job: Omit<JobRow, 'tool'> | undefined): JobRow | undefined {
    if (!job) return undefined;
    const tool = this.own.actions.get(placeKey(job.step, job.index))?.tool;
    return tool === undefined ? undefined : { ...job, tool };
  }

  update(change: Partial<AttemptChange>): void {
    Object.assign(this.facts.attempt, change);
    this.writes.update(change);
  }
  emit(event: EventContent, visibility: Visibility = 'user'): void {
    this.writes.emit(event, visibility, this.attempt);
  }
  insert<T extends keyof Inserts>(table: T, row: Inserts[T]): void {
    if (table === 'inbox') {
      const message = row as Inserts['inbox'];
      if (this.messages.some(({ id }) => id === message.id)) return;
      this.newMessages.add(message.id);
      this.facts.messages.push({ ...message, takenBy: null, disposition: null, why: null } as InboxRow);
      this.writes.storeMessage(() => this.messages.find(({ id }) => id === message.id));
      return;
    }
    if (table === 'inputs') {
      const { ordinal, kind } = row as Inserts['inputs'];
      this.facts.lastInput = ordinal;
      if (kind === 'message') this.facts.lastMessageInput = ordinal;
    }
    this.writes.insert(table, row);
  }
  keepBundle(bundle: BundleRow): void {
    this.writes.keepBundle(this.tenant, bundle);
  }
  keepArtifact(_body: StoredBody): void {}
  closeModelTry(key: { step: number; try: number; execution: number }, close: CloseModelTry): void {
    this.writes.closeModelTry(key, close);
  }
  closeToolTry(key: { step: number; index: number; try: number; execution: number }, close: CloseToolTry): void {
    this.writes.changeToolTry(key, { close });
  }
  markTry(
    key: { step: number; index: number; try: number; execution: number },
    mark: { proven: true } | { sent: boolean },
  ): void {
    this.writes.changeToolTry(key, mark);
  }
  insertEffect(row: NewEffect): void {
    this.writes.insertEffect(row, this.attempt);
  }
  updateEffect(ref: EffectRef, fence: number, change: EffectChange): void {
    this.writes.updateEffect(this.tenant, ref, fence, change);
  }
  addEvidence(ref: EffectRef, evidence: EffectEvidence): void {
    this.writes.addEvidence(this.tenant, ref, evidence);
  }
  insertApproval(row: NewApproval): void {
    this.writes.insertApproval(row);
  }
  closeApproval(key: ApprovalKey, state: ApprovalState): void {
    this.writes.closeApproval(key, state);
  }
  insertApprovalAnswer(key: ApprovalKey, answer: ApprovalAnswer): void {
    this.writes.insertApprovalAnswer(key, answer);
  }
  waitForEffect(ref: EffectRef | undefined): void {
    this.writes.waitForEffect(this.tenant, ref);
  }
  dispose(messageId: string, as: 'taken' | 'rejected', why?: string): void {
    const at = this.facts.messages.findIndex(({ id }) => id === messageId);
    const message = this.facts.messages[at];
    if (!message) return;
    const disposed = { takenBy: this.n, disposition: as, why: why ?? null };
    this.facts.messages[at] = { ...message, ...disposed };
    if (!this.newMessages.has(messageId)) this.writes.disposeMessage(messageId, disposed);
  }
  claim(execution: { id: string; worker: string; kind: CallKind; argsHash: string }): void {
    this.writes.claim(execution);
  }
  endExecution(execution: string): void {
    this.writes.endExecution(execution);
  }
  answer(kind: CallKind, argsHash: string, answered: Answered): void {
    this.writes.answer(kind, argsHash, answered);
  }
}
