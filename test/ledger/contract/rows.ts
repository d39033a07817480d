import { randomUUID } from 'node:crypto';
import type { AttemptTx, Inserts, LedgerPort, TransactionScope } from '../../../src/activities/ledger-port';
import type { AttemptRef } from '../../../src/protocol/ids';

/** Rows that contract tests write, where only some of their fields matter. */

export const hashOf = (digit: string) => digit.repeat(64);
export const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 };

export const toolTry = (change: Partial<Inserts['tool_tries']> = {}): Inserts['tool_tries'] => ({
  step: 1,
  index: 0,
  try: 1,
  execution: 1,
  fingerprint: null,
  snapshot: null,
  sent: true,
  worker: randomUUID(),
  rule: 'reads',
  policy: 'p1',
  ...change,
});

export const action = (change: Partial<Inserts['actions']> = {}): Inserts['actions'] => ({
  step: 1,
  index: 0,
  call_id: 'call-1',
  tool: 'create_refund',
  effect: 'deduplicated',
  args: { text: '{"amount":40}' },
  args_hash: hashOf('a'),
  ...change,
});

export const step = (change: Partial<Inserts['steps']> = {}): Inserts['steps'] => ({
  step: 1,
  turn: 1,
  stop: { kind: 'actions' },
  body: { text: 'I will.' },
  tokens: 3,
  ...change,
});

export const observation = (change: Partial<Inserts['observations']> = {}): Inserts['observations'] => ({
  step: 1,
  index: 0,
  ok: true,
  body: { text: 'Done.' },
  tokens: 2,
  snapshot: null,
  result_hash: null,
  failure_class: null,
  failing_tests: null,
  found_nothing: false,
  ...change,
});

export const projection = (change: Partial<Inserts['projections']> = {}): Inserts['projections'] => ({
  ordinal: 1,
  n: 4,
  step: 4,
  upto_step: 1,
  contract_version: 1,
  policy: 'p1',
  made_by: 'mechanical',
  tokens_before: 100,
  tokens_after: 50,
  body: { text: '{}' },
  ...change,
});

/** Whoever writes a try says so to readers, so an event goes with it. */
export function openTry(tx: AttemptTx, change: Partial<Inserts['tool_tries']> = {}): void {
  const row = toolTry(change);
  tx.insert('tool_tries', row);
  tx.emit({ type: 'action_started', payload: { index: row.index, tool: 'create_refund', try: row.try } });
}

/** What a transaction that changes nothing sees. */
export function look<T>(
  port: LedgerPort,
  ref: AttemptRef,
  see: (tx: AttemptTx) => Promise<T> | T,
  scope: TransactionScope = { n: 1_000 },
): Promise<T> {
  return port.transact(ref, scope, see);
}
