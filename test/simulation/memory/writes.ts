import type { JobChange, Place } from '../../../src/activities/job-rows';
import type {
  ApprovalAnswer,
  ApprovalKey,
  ApprovalState,
  AttemptChange,
  AttemptRow,
  BundleRow,
  CloseModelTry,
  EffectChange,
  EffectEvidence,
  InboxRow,
  Inserts,
  NewApproval,
  NewChild,
  NewEffect,
} from '../../../src/activities/ledger-port';
import type { Contract } from '../../../src/domain/contract/contract';
import { contractHash } from '../../../src/domain/contract/hash';
import type { EffectRef } from '../../../src/domain/effect/effect';
import type { Answered, CallKind } from '../../../src/protocol/calls';
import type { EventContent, Visibility } from '../../../src/protocol/events';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/messages';
import { bundleKey } from './bundles';
import { newChild } from './children';
import { Journal } from './journal';
import { attemptTables, isLive } from './reads';
import {
  type AttemptTables,
  type EffectRecord,
  effectKey,
  placeKey,
  type Tables,
  type ToolTryRecord,
  tryKey,
} from './tables';

type Change = (journal: Journal) => void;
type Contracted = { readonly hash: string; readonly contract: Contract };

/**
 * What a transaction writes at its commit.
 *
 *   I1  Updates see the rows as they were before this transaction's own inserts, as statements of one batch do.
 *   I2  A model try is updated once in a transaction: of two fragments of one batch that meet in a row, a database lets one
 *       count. Changes of a tool try, an approval or an effect are put together.
 *   I3  An effect is written only where its fence is the one that its writer holds (E2); where the transaction has read it,
 *       it must still be what was read, or the transaction is done again.
 */
export class Writes {
  private readonly updates: Change[] = [];
  private readonly inserts: Change[] = [];
  private readonly closings: Change[] = [];
  private readonly updated = new Set<string>();
  private readonly events: Omit<EventRecordOf, 'sequence'>[] = [];
  private change: Partial<AttemptChange> = {};
  private readonly newContracts: Contracted[] = [];
  private readonly effectsRead = new Map<string, Pick<EffectRecord, 'phase' | 'fence'>>();
  private readonly effectsInserted = new Map<string, EffectRecord>();
  private readonly effectChanges = new Map<string, { fence: number; change: EffectChange }>();

  constructor(
    private readonly tables: Tables,
    private readonly key: number,
    private readonly n: number,
    private nextK: number,
    private readonly now: () => number,
  ) {}

  private get own(): AttemptTables {
    return attemptTables(this.tables, this.key);
  }

  /** All of it, or, where a row cannot be made, nothing. */
  commit(): void {
    Journal.run([...this.updates, ...this.inserts, ...this.closings, (journal) => this.writeHead(journal)]);
  }

  newChild(child: NewChild, parent: AttemptRow): AttemptRef {
    const { ref, own } = newChild(this.tables, child, parent);
    const { step, index, share } = child;
    this.inserts.push((journal) => {
      journal.insert(this.tables.attempts, ref.key, own, 'attempt');
      journal.insert(this.own.children, placeKey(step, index), { step, index, child: ref.key, share }, 'child');
    });
    return ref;
  }

  private writeHead(journal: Journal): void {
    const { head, events } = this.own;
    let { sequence } = head;
    for (const event of this.events) {
      sequence += 1;
      journal.insert(events, sequence, { sequence, ...event }, 'event');
    }
    const { taskCompletion, ...row } = this.change;
    const works = [...this.own.executions].some(([n, one]) => n !== this.n && isLive(this.tables, one, this.now()));
    if (row.ended && works) this.fault('R11.3', 'ends while something of it is at work');
    journal.assign(head, {
      sequence,
      row: { ...head.row, ...row },
      ...(taskCompletion === undefined ? {} : { taskCompletion }),
    });
  }

  /** I2 */
  private once(row: string): void {
    if (this.updated.has(row)) throw new Error(`One transaction updates ${row} twice.`);
    this.updated.add(row);
  }

  private fault(rule: string, what: string): void {
    this.tables.faults.push({ rule, what: `${this.own.head.row.ref.id} ${what}` });
  }

  update(change: Partial<AttemptChange>): void {
    this.change = { ...this.change, ...change };
  }

  emit({ type, payload }: EventContent, visibility: Visibility, { turn, step }: AttemptRow): void {
    this.events.push({ move: this.n, k: this.nextK, type, turn, step, visibility, payload });
    this.nextK += 1;
  }

  insert<T extends keyof Inserts>(table: T, row: Inserts[T]): void {
    this.inserts.push((journal) => insertRow(journal, this.own, table, row, this.now()));
  }

  contract(task: string, version: number): Contract {
    const found = [...(this.tables.contracts.get(task) ?? []), ...this.newContracts][version - 1];
    if (!found) throw new Error(`${task} has no contract ${version}.`);
    return found.contract;
  }
  newContract(task: string, contract: Contract): number {
    const known = [...(this.tables.contracts.get(task) ?? []), ...this.newContracts];
    const hash = contractHash(contract);
    const at = known.findIndex((version) => version.hash === hash);
    if (at >= 0) return at + 1;
    const added = { hash, contract };
    this.newContracts.push(added);
    this.inserts.push((journal) =>
      journal.put(this.tables.contracts, task, [...(this.tables.contracts.get(task) ?? []), added]),
    );
    return known.length + 1;
  }

  keepBundle(tenant: string, bundle: BundleRow): void {
    const { bundles } = this.tables;
    this.inserts.push((journal) => {
      const key = bundleKey(tenant, bundle.snapshot);
      if (!bundles.has(key)) journal.insert(bundles, key, bundle, 'bundle');
    });
  }

  holdRace(race: string, holder: number | undefined): void {
    const { races } = this.tables;
    if (holder === undefined) this.updates.push((journal) => journal.remove(races, race));
    else this.updates.push((journal) => journal.put(races, race, holder));
  }
  /** A message for another attempt, whose lock the transaction holds. */
  sendTo({ inbox }: AttemptTables, message: Message): void {
    if (inbox.has(message.id)) return;
    const record = { message, takenBy: null, disposition: null, why: null, at: this.now() };
    this.inserts.push((journal) =>
      journal.insert(inbox, message.id, { ...record, ordinal: this.tables.nextOrdinal++ }, 'message'),
    );
  }

  /** `message`: as it stands at the commit. */
  storeMessage(message: () => InboxRow | undefined): void {
    this.inserts.push((journal) => {
      const row = message();
      if (!row) throw new Error('A message was stored that is not there.');
      const { takenBy, disposition, why, at: _at, ...content } = row;
      const record = { message: content as Message, takenBy, disposition, why, at: this.now() };
      journal.insert(this.own.inbox, row.id, { ...record, ordinal: this.tables.nextOrdinal++ }, 'message');
    });
  }
  disposeMessage(
    id: string,
    disposed: { takenBy: number; disposition: 'taken' | 'rejected'; why: string | null },
  ): void {
    this.updates.push((journal) => {
      const row = this.own.inbox.get(id);
      if (row) journal.put(this.own.inbox, id, { ...row, ...disposed });
    });
  }

  closeModelTry(key: { step: number; try: number; execution: number }, close: CloseModelTry): void {
    this.once(`model try ${tryKey(key)}`);
    this.updates.push((journal) => {
      const row = this.own.modelTries.get(tryKey(key));
      if (row) journal.put(this.own.modelTries, tryKey(key), { ...row, close });
    });
  }
  changeToolTry(
    key: { step: number; index: number; try: number; execution: number },
    change: Partial<Pick<ToolTryRecord, 'close' | 'proven' | 'sent'>>,
  ): void {
    this.closings.push((journal) => {
      const row = this.own.toolTries.get(tryKey(key));
      if (row) journal.put(this.own.toolTries, tryKey(key), { ...row, ...change });
    });
  }

  /** The newest read of a row counts. */
  noteRead(tenant: string, { key, generation, phase, fence }: EffectRecord): void {
    this.effectsRead.set(effectKey(tenant, { key, generation }), { phase, fence });
  }
  insertEffect(row: NewEffect, { ref }: AttemptRow): void {
    const name = effectKey(ref.tenant, row);
    const fresh: EffectRecord = {
      ...row,
      tenant: ref.tenant,
      attempt: this.key,
      attemptId: ref.id,
      n: this.n,
      fence: 1,
      sentAt: row.phase === 'SENT' ? new Date(this.now()) : null,
      resend: false,
      committedAt: null,
      downstreamId: null,
      settledBy: null,
      outcome: null,
      claimedAt: this.now(),
    };
    this.effectsInserted.set(name, fresh);
    this.inserts.push((journal) => {
      const record = this.effectsInserted.get(name);
      if (record) journal.insert(this.tables.effects, name, record, 'effect');
    });
  }
  updateEffect(tenant: string, ref: EffectRef, fence: number, change: EffectChange): void {
    const name = effectKey(tenant, ref);
    const fresh = this.effectsInserted.get(name);
    if (fresh) {
      if (fence === 1) this.effectsInserted.set(name, this.changed(fresh, change));
      return;
    }
    const before = this.effectChanges.get(name);
    const held = before
      ? before.fence + (before.change.owner === undefined ? 0 : 1)
      : this.effectsRead.get(name)?.fence;
    if (held !== undefined && held !== fence) return;
    if (!before) this.updates.push((journal) => this.changeEffect(journal, name));
    this.effectChanges.set(name, { fence: before?.fence ?? fence, change: { ...before?.change, ...change } });
  }
  private changeEffect(journal: Journal, name: string): void {
    const { fence, change } = this.effectChanges.get(name) ?? { fence: 0, change: {} };
    const row = this.tables.effects.get(name);
    const read = this.effectsRead.get(name);
    if (row && row.fence === fence && (!read || read.phase === row.phase))
      journal.put(this.tables.effects, name, this.changed(row, change));
    else if (read) throw new ChangedMeanwhileError(name); // I3
  }
  private changed(row: EffectRecord, { owner, sent, committed, ...plain }: EffectChange): EffectRecord {
    const now = new Date(this.now());
    return {
      ...row,
      ...plain,
      ...(owner === undefined ? {} : { owner, n: this.n, fence: row.fence + 1 }),
      ...(sent === undefined ? {} : { sentAt: sent === null ? null : (row.sentAt ?? now) }),
      ...(committed ? { committedAt: now } : {}),
    };
  }
  addEvidence(tenant: string, ref: EffectRef, evidence: EffectEvidence): void {
    const row = { effect: effectKey(tenant, ref), attempt: this.key, n: this.n, is: evidence };
    this.inserts.push(() => void this.tables.evidence.push(row));
  }
  changeJob({ step, index }: Place, change: JobChange): void {
    this.once(`job ${placeKey(step, index)}`);
    this.updates.push((journal) => {
      const row = this.own.jobs.get(placeKey(step, index));
      if (row) journal.put(this.own.jobs, placeKey(step, index), { ...row, ...change });
    });
  }
  waitForEffect(tenant: string, ref: EffectRef | undefined): void {
    this.updates.push((journal) => {
      if (ref) journal.put(this.tables.effectWaits, this.key, { tenant, ref });
      else journal.remove(this.tables.effectWaits, this.key);
    });
  }

  insertApproval({ terms, ...row }: NewApproval): void {
    const { approvers, approvals: needed, channel } = terms;
    this.inserts.push((journal) =>
      journal.insert(
        this.own.approvals,
        approvalKey(row),
        { ...row, approvers, needed, channel, state: 'open' },
        'approval',
      ),
    );
  }
  closeApproval(key: ApprovalKey, state: ApprovalState): void {
    // Also one that this transaction made.
    this.closings.push((journal) => {
      const row = this.own.approvals.get(approvalKey(key));
      if (row) journal.put(this.own.approvals, approvalKey(key), { ...row, state });
    });
  }
  insertApprovalAnswer(key: ApprovalKey, answer: ApprovalAnswer): void {
    const approval = approvalKey(key);
    this.inserts.push((journal) =>
      journal.insert(this.own.answers, `${approval} ${answer.by}`, { approval, answer }, 'approval answer'),
    );
  }

  claim(execution: { id: string; worker: string; kind: CallKind; argsHash: string }): void {
    this.inserts.push((journal) => {
      const last = this.own.executions.get(this.n);
      if (last && last.id !== execution.id && isLive(this.tables, last, this.now()))
        this.fault('M9', `move ${this.n} is taken from an execution that lives`);
      journal.put(this.own.executions, this.n, { ...execution, startedAt: this.now(), finished: false });
    });
  }
  endExecution(id: string): void {
    this.updates.push((journal) => {
      const row = this.own.executions.get(this.n);
      if (row?.id === id) journal.put(this.own.executions, this.n, { ...row, finished: true });
    });
  }
  answer(kind: CallKind, argsHash: string, answered: Answered): void {
    this.inserts.push((journal) => {
      journal.insert(this.own.moves, this.n, { kind, argsHash, answered: stored(answered) }, 'answer of move');
      journal.remove(this.own.executions, this.n);
    });
  }
}

/** What a database calls a serialization failure. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
  constructor(row: string) {
    super(`${row} was changed by another transaction.`);
  }
}

type EventRecordOf = Parameters<AttemptTables['events']['set']>[1];

const approvalKey = ({ step, index, ordinal }: ApprovalKey) => `${placeKey(step, index)}.${ordinal}`;

/** As a ledger gives it back: what is undefined is not there. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function insertRow<T extends keyof Inserts>(
  journal: Journal,
  own: AttemptTables,
  table: T,
  row: Inserts[T],
  now: number,
): void {
  const as = { table, row } as { [K in keyof Inserts]: { table: K; row: Inserts[K] } }[keyof Inserts];
  switch (as.table) {
    case 'inbox':
      throw new Error('Messages are stored by another way.');
    case 'inputs':
      journal.insert(own.inputs, as.row.ordinal, as.row, 'input');
      return;
    case 'turns':
      journal.insert(own.turns, as.row.turn, as.row, 'turn');
      return;
    case 'model_tries':
      journal.insert(own.modelTries, tryKey(as.row), { ...as.row, openedAt: now }, 'model try');
      return;
    case 'steps':
      journal.insert(own.steps, as.row.step, as.row, 'step');
      return;
    case 'actions': {
      const { step, index, call_id: callId, tool, effect, args, args_hash: argsHash } = as.row;
      const action = { step, index, callId, tool, effect, args, argsHash };
      journal.insert(own.actions, placeKey(step, index), action, 'action');
      return;
    }
    case 'tool_tries': {
      const { closed, ...opened } = as.row;
      const record = { ...opened, openedAt: now, proven: false, ...(closed && { close: closed }) };
      journal.insert(own.toolTries, tryKey(as.row), record, 'tool try');
      return;
    }
    case 'observations':
      journal.insert(own.observations, placeKey(as.row.step, as.row.index), as.row, 'observation');
      return;
    case 'task_states':
      journal.insert(own.taskStates, as.row.n, as.row, 'task state');
      return;
    case 'evidence':
      journal.insert(own.evidence, `${as.row.candidate} ${as.row.criterion}`, as.row, 'evidence');
      return;
    case 'sealed_evidence':
      journal.insert(own.sealedEvidence, `${as.row.candidate} ${as.row.criterion}`, as.row, 'sealed evidence');
      return;
    case 'projections':
      journal.insert(own.projections, as.row.ordinal, as.row, 'projection');
      return;
    case 'attempt_versions':
      journal.insert(own.versions, own.versions.size + 1, { ...as.row, body: stored(as.row.body) }, 'versions');
      return;
    case 'checkpoints':
      // A move that was lost after its first one began again beside the same rows: the first stands.
      if (!own.checkpoints.has(as.row.n)) journal.insert(own.checkpoints, as.row.n, as.row.body, 'checkpoint');
      return;
    case 'jobs': {
      const { next_poll_at: nextPollAt, ends_by: endsBy, ...row } = as.row;
      const job = { ...row, nextPollAt, endsBy, polls: 0, cancelAsked: false };
      journal.insert(own.jobs, placeKey(row.step, row.index), job, 'job');
      return;
    }
    case 'job_tokens':
      journal.insert(own.jobTokens, `${placeKey(as.row.step, as.row.index)} ${as.row.hash}`, true, 'job token');
      return;
  }
}
