import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { NewEffect } from '../../../src/activities/ledger-port';
import { insertMessage } from '../../../src/ledger/inbox';
import { createLedger } from '../../../src/ledger/ledger';
import type { AttemptRef } from '../../../src/protocol/ids';
import { refund, request } from '../contract/effect-rows';
import { action, hashOf, noUsage, observation, openTry, step } from '../contract/rows';

/** Keys of the effects that `writeSoundEffects` leaves behind, by what became of them. */
export const keys = { committed: 'tool/committed', refused: 'tool/refused', told: 'tool/told', open: 'tool/open' };

/**
 * One step of an attempt with an effect of each kind, as the activities would have left it: one committed under the approval of
 * two, one refused by the other side and done again in a second generation, one that a person told of, and one unknown.
 */
export async function writeSoundEffects(pool: Pool, ref: AttemptRef): Promise<void> {
  const ledger = createLedger(pool);
  const effect = (index: number, key: string, change: Partial<NewEffect> = {}) =>
    refund({ key, target: key, index, phase: 'SENT', owner: randomUUID(), tool: 'tool', ...change });
  for (const by of ['ana', 'ben'])
    await insertMessage(pool, ref, { id: `yes-${by}`, kind: 'approve', body: { by, binding: hashOf('b') } });
  await insertMessage(pool, ref, { id: 'cancel', kind: 'cancel', body: { by: 'ana' } });
  const move = (n: number) => ({ n });
  const answer = { answer: { kind: 'none' as const }, acked: 0 };

  await ledger.transact(ref, move(1), (tx) => {
    tx.update({ step: 1 });
    tx.insert('model_tries', { step: 1, try: 1, execution: 1, model: 'm', reserved: noUsage, purpose: 'step' });
    tx.insert('steps', step());
    for (const index of [0, 1, 2, 3, 4]) {
      const effectOf = index === 2 ? 'unsafe' : index === 3 ? 'probed' : 'deduplicated';
      tx.insert('actions', action({ index, tool: 'tool', effect: effectOf }));
      if (index !== 3) tx.insert('observations', observation({ index }));
    }
    tx.insertApproval(request());
    for (const by of ['ana', 'ben']) {
      const messageId = `yes-${by}`;
      tx.insertApprovalAnswer(request(), { by, answer: 'approve', channel: 'asserted', messageId });
      tx.dispose(messageId, 'taken');
    }
    tx.closeApproval(request(), 'spent');
    for (const index of [0, 1, 2, 3, 4]) openTry(tx, { index });
    tx.insertEffect(effect(0, keys.committed, { approval: 1 }));
    tx.insertEffect(effect(1, keys.refused));
    tx.insertEffect(effect(2, keys.told, { effectClass: 'unsafe' }));
    tx.insertEffect(effect(3, keys.open, { effectClass: 'probed' }));
    tx.answer('record', hashOf('a'), answer);
  });
  await ledger.transact(ref, move(2), (tx) => {
    tx.closeModelTry({ step: 1, try: 1, execution: 1 }, { outcome: 'answered', usage: noUsage });
    for (const index of [0, 1, 2, 3, 4])
      tx.closeToolTry({ step: 1, index, try: 1, execution: 1 }, { outcome: index < 2 ? 'ok' : 'unknown' });
    tx.markTry({ step: 1, index: 1, try: 1, execution: 1 }, { proven: true });
    tx.updateEffect({ key: keys.committed, generation: 1 }, 1, {
      phase: 'COMMITTED',
      committed: true,
      settledBy: 'send',
    });
    tx.updateEffect({ key: keys.refused, generation: 1 }, 1, { phase: 'NOT_COMMITTED', settledBy: 'send' });
    tx.updateEffect({ key: keys.told, generation: 1 }, 1, { phase: 'NOT_COMMITTED', settledBy: 'person' });
    tx.addEvidence({ key: keys.told, generation: 1 }, { kind: 'person', body: { by: 'ana' } });
    tx.updateEffect({ key: keys.open, generation: 1 }, 1, { phase: 'UNKNOWN' });
    tx.insertEffect(effect(4, keys.refused, { generation: 2 }));
    tx.answer('record', hashOf('a'), answer);
  });
}
