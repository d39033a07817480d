import type { CloseToolTry, Inserts } from '../../activities/ledger-port';
import type { Batch } from '../batch';
import { textParam } from '../json';

export interface TryKey {
  readonly step: number;
  readonly index: number;
  readonly try: number;
  readonly execution: number;
}
export interface TryMark {
  readonly proven?: true;
  readonly sent?: boolean;
}

const nameOf = (key: TryKey) => `${key.step}.${key.index}.${key.try}.${key.execution}`;

/** Tool tries that one transaction opens, closes and marks: one write a row, for the writes of a batch see no other's. */
export class ToolTries {
  private readonly opened = new Map<string, Inserts['tool_tries']>();
  private readonly changed = new Map<string, { key: TryKey; close?: CloseToolTry; mark: TryMark }>();

  get rows(): readonly Inserts['tool_tries'][] {
    return [...this.opened.values()];
  }
  /** Earlier tries that this transaction says were sent, or were not. */
  get sends(): readonly (TryKey & { readonly sent: boolean })[] {
    return [...this.changed.values()].flatMap(({ key, mark }) =>
      mark.sent === undefined ? [] : [{ ...key, sent: mark.sent }],
    );
  }

  open(row: Inserts['tool_tries']): void {
    this.opened.set(nameOf(row), row);
  }

  close(key: TryKey, close: CloseToolTry): void {
    const fresh = this.opened.get(nameOf(key));
    if (fresh) this.opened.set(nameOf(key), { ...fresh, closed: close });
    else this.changed.set(nameOf(key), { key, mark: {}, ...this.changed.get(nameOf(key)), close });
  }

  mark(key: TryKey, mark: TryMark): void {
    const fresh = this.opened.get(nameOf(key));
    if (fresh && mark.sent !== undefined) this.opened.set(nameOf(key), { ...fresh, sent: mark.sent });
    const before = this.changed.get(nameOf(key));
    if (!fresh || mark.proven) this.changed.set(nameOf(key), { ...before, key, mark: { ...before?.mark, ...mark } });
  }

  writeTo(batch: Batch, attempt: number): void {
    for (const row of this.opened.values()) insertTry(batch, attempt, row);
    for (const { key, close, mark } of this.changed.values()) changeTry(batch, attempt, key, close, mark);
  }
}

function insertTry(batch: Batch, attempt: number, { closed, ...row }: Inserts['tool_tries']): void {
  batch.add(
    `insert into tool_tries (attempt, step, index, try, execution, fingerprint, likeness, stepless, poll, snapshot, sent, worker, rule, policy, closed_at, outcome, failure, reused)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), decode($14, 'hex'), decode($16, 'hex'), $15, $13, $7, $8, $9, $10, case when $11::text is not null then clock_timestamp() end, $11, $12, $17)`,
    [
      attempt,
      row.step,
      row.index,
      row.try,
      row.execution,
      row.fingerprint,
      row.sent,
      row.worker,
      row.rule,
      row.policy,
      closed?.outcome ?? null,
      closed?.failure ?? null,
      row.snapshot,
      row.likeness ?? null,
      row.poll ?? false,
      row.stepless ?? null,
      row.reused === undefined ? null : textParam(row.reused),
    ],
  );
}

function changeTry(batch: Batch, attempt: number, key: TryKey, close: CloseToolTry | undefined, mark: TryMark): void {
  const values: unknown[] = [attempt, key.step, key.index, key.try, key.execution];
  const sets: string[] = [];
  if (close) {
    values.push(close.outcome, close.failure ?? null);
    sets.push('closed_at = clock_timestamp(), outcome = $6, failure = $7');
  }
  if (mark.proven) sets.push('proven = true');
  if (mark.sent !== undefined) sets.push(`sent = $${values.push(mark.sent)}`);
  batch.add(
    `update tool_tries set ${sets.join(', ')}
     where attempt = $1 and step = $2 and index = $3 and try = $4 and execution = $5`,
    values,
  );
}
