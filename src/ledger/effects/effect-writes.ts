import type { EffectChange, NewEffect } from '../../activities/ledger-port';
import type { Effect, EffectPhase, EffectRef } from '../../domain/effect/effect';
import type { Batch } from '../batch';
import { textParam } from '../json';

/**
 * Writes of one transaction to the effect log, kept for its end: one statement a row, for a statement of the batch sees no
 * other's change.
 *
 *   I1  A change is written only where the row's fence is the one that its writer holds (E2).
 *   I2  Where the transaction has read the row, it must still be what was read: its writer decided by that.
 *   I3  Rows are written in the order of their keys, so that no two transactions that write the same ones wait for each other.
 */
interface Change {
  readonly ref: EffectRef;
  readonly fence: number;
  readonly change: EffectChange;
}
/** A row that was inserted and changed in one transaction. */
type Fresh = Omit<NewEffect, 'phase'> & Omit<EffectChange, keyof NewEffect> & { readonly phase: EffectPhase };
type Identity = Pick<Effect, 'phase' | 'fence'>;

const nameOf = ({ key, generation }: EffectRef) => `${generation} ${key}`;

export class EffectWrites {
  private readonly read = new Map<string, Identity>();
  private readonly inserted = new Map<string, Fresh>();
  private readonly changes = new Map<string, Change>();

  /** The newest read of a row counts. */
  note(effect: Effect): void {
    this.read.set(nameOf(effect), effect);
  }

  insert(row: NewEffect): void {
    this.inserted.set(nameOf(row), { ...row, ...(row.phase === 'SENT' && { sent: true as const }) });
  }

  update(ref: EffectRef, fence: number, change: EffectChange): void {
    const name = nameOf(ref);
    const fresh = this.inserted.get(name);
    if (fresh) {
      if (fence === firstFence) this.inserted.set(name, { ...fresh, ...change });
      return;
    }
    const before = this.changes.get(name);
    const held = before ? before.fence + (before.change.owner === undefined ? 0 : 1) : this.read.get(name)?.fence;
    if (held !== undefined && held !== fence) return; // I1
    this.changes.set(name, { ref, fence: before?.fence ?? fence, change: { ...before?.change, ...change } });
  }

  /** `n`: the move that owns what is claimed here. */
  writeTo(batch: Batch, tenant: string, attempt: number, n: number): void {
    for (const row of this.inserted.values()) insertRow(batch, tenant, attempt, n, row);
    const inOrder = [...this.changes].sort(([a], [b]) => (a < b ? -1 : 1)); // I3
    for (const [name, change] of inOrder) updateRow(batch, tenant, n, change, this.read.get(name));
  }
}

const optionalText = (text: string | undefined) => (text === undefined ? null : textParam(text));

/** E2: of the first claim. */
const firstFence = 1;

function insertRow(batch: Batch, tenant: string, attempt: number, n: number, row: Fresh): void {
  batch.add(
    `insert into effects (tenant, key, generation, attempt, step, index, tool, class, target, args_hash, phase, fence, n, owner,
       approval, rule, policy, resend, downstream_id, settled_by, outcome, sent_at, committed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, decode($10, 'hex'), $11, ${firstFence}, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       case when $21 then clock_timestamp() end, case when $22 then clock_timestamp() end)`,
    [
      tenant,
      textParam(row.key),
      row.generation,
      attempt,
      row.step,
      row.index,
      row.tool,
      row.effectClass,
      textParam(row.target),
      row.argsHash,
      row.phase,
      n,
      row.owner,
      row.approval ?? null,
      row.authorization.rule,
      row.authorization.policy,
      row.resend ?? false,
      optionalText(row.downstreamId),
      row.settledBy ?? null,
      optionalText(row.outcome),
      row.sent === true,
      row.committed === true,
    ],
  );
}

function updateRow(batch: Batch, tenant: string, n: number, { ref, fence, change }: Change, read?: Identity): void {
  const values: unknown[] = [tenant, textParam(ref.key), ref.generation, fence];
  const value = (of: unknown) => `$${values.push(of)}`;
  const sets: string[] = [];
  const set = (column: string, of: unknown) =>
    of !== undefined && sets.push(`${column} = ${value(typeof of === 'string' ? textParam(of) : of)}`);
  set('phase', change.phase);
  set('resend', change.resend);
  set('approval', change.approval);
  set('rule', change.authorization?.rule);
  set('policy', change.authorization?.policy);
  set('downstream_id', change.downstreamId);
  set('settled_by', change.settledBy);
  set('outcome', change.outcome);
  if (change.owner !== undefined) sets.push(`owner = ${value(change.owner)}, n = ${value(n)}, fence = fence + 1`);
  if (change.sent === true) sets.push('sent_at = coalesce(sent_at, clock_timestamp())');
  if (change.sent === null) sets.push('sent_at = null');
  if (change.committed) sets.push('committed_at = clock_timestamp()');
  if (sets.length === 0) return;
  const asRead = read === undefined ? '' : ` and phase = ${value(read.phase)}`;
  batch.add(
    `update effects set ${sets.join(', ')} where tenant = $1 and key = $2 and generation = $3 and fence = $4${asRead}`,
    values,
    { must: read !== undefined }, // I2
  );
}
