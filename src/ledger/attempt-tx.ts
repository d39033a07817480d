import type { PoolClient } from 'pg';
import type {
  AttemptChange,
  AttemptRow,
  AttemptTx,
  BundleRow,
  ChildRow,
  CloseModelTry,
  EvidenceRow,
  ExecutionRow,
  InboxRow,
  Inserts,
  JobChange,
  JobRow,
  NewChild,
  OpenTry,
  Place,
  RaceHold,
  RecordedAnswer,
  Standing,
  StoredBody,
  TransactionScope,
} from '../activities/ledger-port';
import type { StoredCheckpoint } from '../domain/checkpoint/read-checkpoint';
import type { Contract } from '../domain/contract/contract';
import type { TrailSoFar } from '../domain/progress/trail';
import type { Race } from '../protocol/attempt';
import type { Answered, CallKind } from '../protocol/calls';
import { type EventContent, eventSchemaVersion, type Visibility } from '../protocol/events';
import { type AttemptRef, taskOf } from '../protocol/ids';
import type { ActionCache } from './action-cache';
import { changeColumns, jsonFields } from './attempt-columns';
import type { AttemptMemory, Recent, Told } from './attempt-memory';
import { Batch } from './batch';
import { hostLives, keepBundle } from './bundles';
import { insertChild, liveUnder, openChildren } from './children';
import { lockTask, readContract, versionOf } from './contracts';
import { EffectLog } from './effects/effect-log';
import { type AttemptFacts, readFacts } from './facts';
import { changeJob, isJobToken, jobOf, runningJobs, unobservedJobs } from './jobs';
import { jsonParam } from './json';
import { kinRepairs } from './kin-repairs';
import { newestModelTry, newestToolTry } from './open-tries';
import { otherExecutions } from './other-executions';
import { cancelRivals, holdRace, leaveRace } from './races';
import { newestCheckpoint, newestVersions, readStanding } from './standing';
import { tenantCost } from './tenant-cost';

/** What this process keeps of attempts between their transactions. */
export interface Kept {
  readonly actions: ActionCache;
  readonly memory: AttemptMemory;
}

/** One transaction under the attempt's row lock: facts read at its start, writes kept for its end. */
export class PgAttemptTx extends EffectLog implements AttemptTx {
  private readonly change: Partial<AttemptChange> = {};
  private readonly newMessages = new Map<
    string,
    Inserts['inbox'] & { taken_by: number | null; disposition: string | null; why: string | null }
  >();
  private readonly proposed: Inserts['actions'][] = [];
  /** What others have to be told of (I1 of AttemptMemory). */
  private readonly told: Omit<Told, 'tried' | 'sends'> = { observed: [], plans: [], inputs: [], projections: [] };
  private sequence: number;
  private nextK: number;

  private constructor(
    client: PoolClient,
    n: number,
    private readonly facts: AttemptFacts,
    private readonly kept: Kept,
  ) {
    const { tenant, key, id } = facts.attempt.ref;
    super(client, new Batch(), n, tenant, key, taskOf(id), facts.hasKin);
    this.sequence = facts.sequence;
    this.nextK = facts.nextK;
  }

  static async open(client: PoolClient, key: number, scope: TransactionScope, kept: Kept): Promise<PgAttemptTx> {
    return new PgAttemptTx(client, scope.n, await readFacts(client, key, scope), kept);
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

  modelTry(step: number, tryNumber: number): Promise<OpenTry | undefined> {
    return newestModelTry(this.client, this.key, step, tryNumber);
  }
  toolTry(step: number, index: number, tryNumber: number): Promise<OpenTry | undefined> {
    return newestToolTry(this.client, this.key, step, index, tryNumber);
  }

  async trail(): Promise<TrailSoFar> {
    return (await this.recent()).trail;
  }

  async triedSnapshots(step: number, index: number): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ snapshot: string }>(
      `select distinct snapshot from tool_tries where attempt = $1 and step = $2 and index = $3
         and snapshot is not null and outcome is distinct from 'not_run'`,
      [this.key, step, index],
    );
    return rows.map(({ snapshot }) => snapshot);
  }

  async unobserved(): Promise<readonly { index: number; tool: string }[]> {
    const { rows } = await this.client.query<{ index: number; tool: string }>(
      `select index, tool from actions a where attempt = $1 and step = $2 and not exists
         (select from observations o where o.attempt = a.attempt and o.step = a.step and o.index = a.index) order by index`,
      [this.key, this.attempt.step],
    );
    return rows;
  }

  async taskState(): Promise<unknown> {
    return (await this.recent()).taskState;
  }

  /** As it was when the lock was had. */
  private recent(): Promise<Recent> {
    return this.kept.memory.recall(this.client, this.key, this.facts.sequence, this.attempt.step);
  }

  contract(): Promise<Contract> {
    return readContract(this.client, this.attempt.ref, this.attempt.contractVersion);
  }

  async newContract(contract: Contract): Promise<number> {
    const { tenant, id } = this.attempt.ref;
    await lockTask(this.client, { tenant, task: taskOf(id) });
    return await versionOf(this.client, { tenant, task: taskOf(id) }, contract);
  }

  async evidence(candidate: number): Promise<readonly EvidenceRow[]> {
    const { rows } = await this.client.query<EvidenceRow>(
      'select criterion, met, body from evidence where attempt = $1 and candidate = $2',
      [this.key, candidate],
    );
    return rows;
  }

  async newestEvidence(): Promise<readonly EvidenceRow[]> {
    const { rows } = await this.client.query<EvidenceRow>(
      `select criterion, met, body from evidence
       where attempt = $1 and candidate = (select max(candidate) from evidence where attempt = $1)`,
      [this.key],
    );
    return rows;
  }

  otherExecutions(): Promise<number> {
    return otherExecutions(this.client, this.key, this.n);
  }

  hostLives(host: string): Promise<boolean> {
    return hostLives(this.client, host);
  }

  kinRepairs(): Promise<number> {
    return this.facts.hasKin ? kinRepairs(this.client, this.attempt.ref) : Promise.resolve(0);
  }

  tenantCost(since: Date | undefined): Promise<number> {
    return tenantCost(this.client, this.attempt.ref.tenant, since);
  }

  standing(): Promise<Standing> {
    return readStanding(this.client, this.key);
  }

  newestCheckpoint(): Promise<StoredCheckpoint | undefined> {
    return newestCheckpoint(this.client, this.key);
  }

  newestVersions(): Promise<unknown> {
    return newestVersions(this.client, this.key);
  }

  holdRace(): Promise<RaceHold> {
    return holdRace(this.client, this.attempt.ref, this.race);
  }
  leaveRace(): Promise<void> {
    return leaveRace(this.client, this.attempt.ref, this.race);
  }
  cancelRivals(reason: string): Promise<void> {
    return cancelRivals(this.client, this.attempt.ref, this.race, reason);
  }
  private get race(): Race {
    const { ref, start } = this.attempt;
    if (!start.race) throw new Error(`${ref.id} was begun alone.`);
    return start.race;
  }

  job(of: Place): Promise<JobRow | undefined> {
    return jobOf(this.client, this.key, of);
  }
  unobservedJobs(step: number): Promise<readonly JobRow[]> {
    return unobservedJobs(this.client, this.key, step);
  }
  runningJobs(): Promise<readonly JobRow[]> {
    return runningJobs(this.client, this.key);
  }
  isJobToken(of: Place, hash: string): Promise<boolean> {
    return isJobToken(this.client, this.key, of, hash);
  }
  openChildren(): Promise<readonly ChildRow[]> {
    return openChildren(this.client, this.key);
  }
  liveChildren(): Promise<number> {
    const { child, ref } = this.attempt;
    return liveUnder(this.client, ref.tenant, child?.root ?? this.key);
  }
  newChild(child: NewChild): Promise<AttemptRef> {
    return insertChild(this.client, this.attempt, child);
  }
  changeJob(of: Place, change: JobChange): void {
    changeJob(this.batch, this.key, of, change);
  }

  update(change: Partial<AttemptChange>): void {
    Object.assign(this.change, change);
    Object.assign(this.facts.attempt, change);
  }

  emit(event: EventContent, visibility: Visibility = 'user'): void {
    this.sequence += 1;
    this.batch.insert('events', {
      attempt: this.key,
      sequence: this.sequence,
      move: this.n,
      k: this.nextK,
      version: eventSchemaVersion,
      type: event.type,
      turn: this.attempt.turn,
      step: this.attempt.step,
      visibility,
      payload: event.payload,
    });
    this.nextK += 1;
  }

  insert<T extends keyof Inserts>(table: T, row: Inserts[T]): void {
    if (table === 'inbox') {
      const message = row as Inserts['inbox'];
      if (this.newMessages.has(message.id) || this.messages.some((known) => known.id === message.id)) return;
      this.newMessages.set(message.id, { ...message, taken_by: null, disposition: null, why: null });
      this.facts.messages.push({ ...message, takenBy: null, disposition: null, why: null } as InboxRow);
      return;
    }
    if (table === 'inputs') this.countInput(row as Inserts['inputs']);
    if (table === 'actions') this.proposed.push(row as Inserts['actions']);
    if (table === 'task_states') this.told.plans.push(row as Inserts['task_states']);
    if (table === 'inputs') this.told.inputs.push(row as Inserts['inputs']);
    if (table === 'projections') this.told.projections.push(row as Inserts['projections']);
    if (table === 'observations') this.told.observed.push(row as Inserts['observations']);
    if (table === 'checkpoints') this.keepCheckpoint(row as Inserts['checkpoints']);
    else if (table === 'tool_tries') this.openToolTry(row as Inserts['tool_tries']);
    else if (table === 'observations') this.observe(row as Inserts['observations']);
    else this.batch.insert(table, { attempt: this.key, ...row });
  }

  /** A move that was lost after its first one began again beside the same rows: the first stands. */
  private keepCheckpoint({ n, body }: Inserts['checkpoints']): void {
    this.batch.add('insert into checkpoints (attempt, n, body) values ($1, $2, $3::jsonb) on conflict do nothing', [
      this.key,
      n,
      jsonParam(body),
    ]);
  }

  private observe({ result_hash, ...row }: Inserts['observations']): void {
    this.batch.insert('observations', {
      attempt: this.key,
      ...row,
      result_hash: result_hash === null ? null : `\\x${result_hash}`,
    });
  }

  keepArtifact({ hash, bytes }: StoredBody): void {
    this.batch.add(
      `insert into artifacts (tenant, hash, bytes, media_type) values ($1, $2, $3, $4) on conflict (tenant, hash) do nothing`,
      [this.attempt.ref.tenant, hash, bytes, 'text/plain; charset=utf-8'],
    );
  }

  keepBundle(bundle: BundleRow): void {
    keepBundle(this.batch, this.attempt.ref.tenant, bundle);
  }

  private countInput({ ordinal, kind }: Inserts['inputs']): void {
    this.facts.lastInput = ordinal;
    if (kind === 'message') this.facts.lastMessageInput = ordinal;
  }

  closeModelTry(key: { step: number; try: number; execution: number }, close: CloseModelTry): void {
    this.batch.add(
      `update model_tries set closed_at = clock_timestamp(), outcome = $5, failure = $6, usage = $7::jsonb, price = $8::jsonb
       where attempt = $1 and step = $2 and try = $3 and execution = $4`,
      [
        this.key,
        key.step,
        key.try,
        key.execution,
        close.outcome,
        close.failure ?? null,
        jsonParam(close.usage),
        jsonParam(close.price ?? null),
      ],
    );
  }

  dispose(messageId: string, as: 'taken' | 'rejected', why?: string): void {
    const at = this.facts.messages.findIndex((message) => message.id === messageId);
    const message = this.facts.messages[at];
    if (!message) return;
    this.facts.messages[at] = { ...message, takenBy: this.n, disposition: as, why: why ?? null };
    const fresh = this.newMessages.get(messageId);
    if (fresh) Object.assign(fresh, { taken_by: this.n, disposition: as, why: why ?? null });
    else
      this.batch.add('update inbox set taken_by = $3, disposition = $4, why = $5 where attempt = $1 and id = $2', [
        this.key,
        messageId,
        this.n,
        as,
        why ?? null,
      ]);
  }

  claim(execution: { id: string; worker: string; kind: CallKind; argsHash: string }): void {
    this.batch.add(
      `insert into executions (attempt, n, id, worker, kind, args_hash) values ($1, $2, $3, $4, $5, decode($6, 'hex'))
       on conflict (attempt, n) do update set id = excluded.id, worker = excluded.worker, started_at = clock_timestamp(), finished_at = null`,
      [this.key, this.n, execution.id, execution.worker, execution.kind, execution.argsHash],
    );
  }

  endExecution(execution: string): void {
    this.batch.add('update executions set finished_at = clock_timestamp() where attempt = $1 and n = $2 and id = $3', [
      this.key,
      this.n,
      execution,
    ]);
  }

  answer(kind: CallKind, argsHash: string, answered: Answered): void {
    this.batch.insert('moves', { attempt: this.key, n: this.n, kind, args_hash: `\\x${argsHash}`, answer: answered });
    if (this.facts.execution)
      this.batch.add('delete from executions where attempt = $1 and n = $2', [this.key, this.n]);
  }

  /** Sends the writes; the caller commits. */
  async flush(): Promise<void> {
    for (const message of this.newMessages.values()) this.batch.insert('inbox', { attempt: this.key, ...message });
    this.writeEffects();
    const sequence = this.sequence;
    if (sequence === this.facts.sequence && this.hasNews())
      throw new Error('A try, an answer or a plan without an event: others would not see that the attempt went on.'); // I1 of AttemptMemory
    const values: unknown[] = [this.key, sequence];
    const sets = Object.entries(this.change).map(([field, value]) => {
      const column = changeColumns[field as keyof AttemptChange];
      if (field === 'ended') return `${column} = clock_timestamp()`;
      values.push(jsonFields.has(field) ? jsonParam(value) : value);
      return `${column} = $${values.length}`;
    });
    if (sets.length > 0 || sequence !== this.facts.sequence)
      this.batch.add(`update attempts set ${[...sets, 'sequence = $2'].join(', ')} where key = $1`, values);
    await this.batch.flush(this.client);
  }

  private hasNews(): boolean {
    const { observed, plans } = this.told;
    return this.tried.length + plans.length > 0 || observed.some(({ result_hash }) => result_hash !== null);
  }

  /** Called when the writes are committed. */
  remember(): void {
    for (const action of this.proposed) this.kept.actions.keep(this.key, action);
    const { told, tried, sends } = this;
    this.kept.memory.note(this.key, this.facts.sequence, this.sequence, { ...told, tried, sends });
  }
}
