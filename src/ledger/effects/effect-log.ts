import type { PoolClient } from 'pg';
import type {
  Approval,
  ApprovalAnswer,
  ApprovalKey,
  ApprovalState,
  AttemptTx,
  Body,
  CloseToolTry,
  EffectChange,
  EffectEvidence,
  EffectScene,
  Inserts,
  NewApproval,
  NewEffect,
  OperationAsk,
  OwnEffect,
  Revocation,
  RevocationAsk,
  SceneAsk,
} from '../../activities/ledger-port';
import type { Effect, EffectRef } from '../../domain/effect/effect';
import type { Batch } from '../batch';
import { ApprovalWrites, insertAnswer, newestApproval, waitingApprovals } from './approvals';
import { EffectReads } from './effect-reads';
import { EffectWrites } from './effect-writes';
import { argumentsOf, cancelRequestedAt, deniedBefore, firstRevoked, hasPassed, observationOf } from './other-actions';
import { ToolTries, type TryKey, type TryMark } from './tool-tries';
import { writeWait } from './waits';

type Place = Pick<Effect, 'attempt' | 'step' | 'index'>;

/** The part of a transaction that is about effects, approvals and tool tries; writes are kept until `writeEffects`. */
export abstract class EffectLog
  implements
    Pick<
      AttemptTx,
      | 'kinKey'
      | 'effectScene'
      | 'effectOf'
      | 'ownEffects'
      | 'effect'
      | 'waitedEffect'
      | 'callsWithin'
      | 'revoked'
      | 'cancelRequestedAt'
      | 'approval'
      | 'waitingApprovals'
      | 'deniedBefore'
      | 'observationOf'
      | 'argumentsOf'
      | 'hasPassed'
      | 'closeToolTry'
      | 'markTry'
      | 'insertEffect'
      | 'updateEffect'
      | 'addEvidence'
      | 'insertApproval'
      | 'closeApproval'
      | 'insertApprovalAnswer'
      | 'waitForEffect'
    >
{
  private readonly toolTries = new ToolTries();
  private readonly writes = new EffectWrites();
  private readonly reads: EffectReads;
  private readonly approvals = new ApprovalWrites();
  private wait: { readonly ref: EffectRef | undefined } | undefined;

  protected constructor(
    protected readonly client: PoolClient,
    protected readonly batch: Batch,
    readonly n: number,
    private readonly tenant: string,
    protected readonly key: number,
    task: string,
    private readonly hasKin: boolean,
  ) {
    this.reads = new EffectReads(client, { tenant, task, attempt: key }, (effect) => this.writes.note(effect));
  }

  async kinKey(of: OperationAsk, step: number, index: number): Promise<string | undefined> {
    return this.hasKin ? await this.reads.kinKey(of, step, index) : undefined;
  }
  effectScene(ask: SceneAsk): Promise<EffectScene> {
    return this.reads.effectScene(ask);
  }
  effectOf(step: number, index: number): Promise<OwnEffect | undefined> {
    return this.reads.effectOf(step, index);
  }
  ownEffects(): Promise<readonly Effect[]> {
    return this.reads.ownEffects();
  }
  effect(ref: EffectRef): Promise<Effect | undefined> {
    return this.reads.effect(ref);
  }
  waitedEffect(): Promise<Effect | undefined> {
    return this.reads.waitedEffect();
  }
  callsWithin(tool: string, withinMs: number): Promise<number> {
    return this.reads.callsWithin(tool, withinMs);
  }
  revoked(of: readonly RevocationAsk[]): Promise<Revocation | undefined> {
    return firstRevoked(this.client, this.tenant, of);
  }
  cancelRequestedAt(): Promise<Date | undefined> {
    return cancelRequestedAt(this.client, this.key);
  }
  approval(step: number, index: number): Promise<Approval | undefined> {
    return newestApproval(this.client, this.key, step, index);
  }
  waitingApprovals(): Promise<readonly Approval[]> {
    return waitingApprovals(this.client, this.key);
  }
  deniedBefore(tool: string, argsHash: string, step: number, index: number): Promise<{ code: string } | undefined> {
    return deniedBefore(this.client, this.key, { tool, argsHash, step, index });
  }
  observationOf(of: Place): Promise<{ ok: boolean; text: string } | undefined> {
    return observationOf(this.client, this.tenant, of);
  }
  argumentsOf(of: Place): Promise<Body | undefined> {
    return argumentsOf(this.client, this.tenant, of);
  }
  hasPassed(since: Date, ms: number): Promise<boolean> {
    return hasPassed(this.client, since, ms);
  }

  closeToolTry(key: TryKey, close: CloseToolTry): void {
    this.toolTries.close(key, close);
  }
  markTry(key: TryKey, mark: TryMark): void {
    this.toolTries.mark(key, mark);
  }
  insertEffect(row: NewEffect): void {
    this.writes.insert(row);
  }
  updateEffect(ref: EffectRef, fence: number, change: EffectChange): void {
    this.writes.update(ref, fence, change);
  }
  addEvidence(ref: EffectRef, evidence: EffectEvidence): void {
    this.batch.insert('effect_evidence', {
      tenant: this.tenant,
      key: ref.key,
      generation: ref.generation,
      kind: evidence.kind,
      fence: evidence.fence ?? null,
      attempt: this.key,
      n: this.n,
      body: evidence.body,
    });
  }
  insertApproval(row: NewApproval): void {
    this.approvals.insert(row);
  }
  closeApproval(key: ApprovalKey, state: ApprovalState): void {
    this.approvals.close(key, state);
  }
  insertApprovalAnswer(key: ApprovalKey, answer: ApprovalAnswer): void {
    insertAnswer(this.batch, this.key, key, answer);
  }
  waitForEffect(ref: EffectRef | undefined): void {
    this.wait = { ref };
  }

  protected openToolTry(row: Inserts['tool_tries']): void {
    this.toolTries.open(row);
  }
  /** Tries opened here that count as a call with a fingerprint. */
  protected get tried(): readonly Inserts['tool_tries'][] {
    return this.toolTries.rows.filter(({ fingerprint }) => fingerprint !== null);
  }
  protected get sends(): ToolTries['sends'] {
    return this.toolTries.sends;
  }
  protected writeEffects(): void {
    this.toolTries.writeTo(this.batch, this.key);
    this.writes.writeTo(this.batch, this.tenant, this.key, this.n);
    this.approvals.writeTo(this.batch, this.key);
    if (this.wait) writeWait(this.batch, this.tenant, this.key, this.wait.ref);
  }
}
