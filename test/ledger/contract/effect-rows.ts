import { randomUUID } from 'node:crypto';
import type { LedgerPort, NewApproval, NewEffect, SceneAsk } from '../../../src/activities/ledger-port';
import type { AttemptRef } from '../../../src/protocol/ids';
import { hashOf } from './rows';

/** Rows of the effect log that contract tests write, where only some of their fields matter. */

export const refund = (change: Partial<NewEffect> = {}): NewEffect => ({
  key: 'create_refund/1042',
  generation: 1,
  step: 1,
  index: 0,
  tool: 'create_refund',
  effectClass: 'deduplicated',
  target: 'order:1042',
  argsHash: hashOf('a'),
  phase: 'CLAIMED',
  owner: randomUUID(),
  approval: null,
  authorization: { rule: 'small-refunds', policy: 'p1' },
  ...change,
});

export const sceneOf = ({ key, target, step, index }: NewEffect): SceneAsk => ({ key, target, step, index });

/** A key and a target that no other test uses. */
export function freshOperation(): { key: string; target: string } {
  const id = randomUUID();
  return { key: `create_refund/${id}`, target: `order:${id}` };
}

/** An action's claim, as `act` makes it: its execution and the effect that it owns, in one transaction. */
export async function claimed(
  port: LedgerPort,
  ref: AttemptRef,
  worker: { readonly id: string },
  change: Partial<NewEffect> = {},
  n = 1,
): Promise<NewEffect> {
  const row = refund(change);
  await port.transact(ref, { n }, (tx) => {
    tx.claim({ id: row.owner, worker: worker.id, kind: 'act', argsHash: hashOf('c') });
    tx.insertEffect(row);
  });
  return row;
}

export const request = (change: Partial<NewApproval> = {}): NewApproval => ({
  step: 1,
  index: 0,
  ordinal: 1,
  binding: hashOf('b'),
  rule: 'large-refunds',
  policy: 'p1',
  tool: 'create_refund',
  target: 'order:1042',
  terms: { approvers: ['role:finance'], approvals: 2, expiresInMs: 60_000, channel: 'asserted' },
  expiresAt: 1_900_000_000_000,
  ...change,
});
