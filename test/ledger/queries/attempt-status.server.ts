import type { Pool } from 'pg';
import type { AttemptTx } from '../../../src/activities/ledger-port';
import type { AttemptState, Reason } from '../../../src/domain/attempt/states';
import type { EffectClass } from '../../../src/domain/effect/effect';
import { insertMessage } from '../../../src/ledger/inbox';
import { createLedger } from '../../../src/ledger/ledger';
import { attemptStatus } from '../../../src/ledger/queries/attempt-status';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { MessageContent } from '../../../src/protocol/messages';
import { freshLedger, started } from '../support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const inMove = (ref: AttemptRef, n: number, work: (tx: AttemptTx) => void) =>
  createLedger(pool).transact(ref, { n }, (tx) => work(tx));
const settled = async (ref: AttemptRef) => (await attemptStatus(pool, ref)).settled;

/** An attempt that pauses at its third move. */
async function pausedAs(state: AttemptState, reason: Reason): Promise<AttemptRef> {
  const ref = await started(pool, { task: `p-${state.toLowerCase().replaceAll('_', '-')}`, beside: true });
  await inMove(ref, 3, (tx) => {
    tx.emit({ type: 'paused', payload: { state, reason } });
    tx.update({ state, reason });
  });
  return ref;
}
/** A message that the fourth move takes; `leaves`: and with it the pause. */
async function taken(ref: AttemptRef, content: MessageContent, leaves = false): Promise<void> {
  await insertMessage(pool, ref, { id: 'm', ...content });
  expect(await settled(ref)).toBe(false);
  await inMove(ref, 4, (tx) => {
    tx.dispose('m', 'taken');
    if (leaves) tx.update({ reason: null });
  });
}
const approve = { kind: 'approve', body: { by: 'ana' } } as const;
const cancel = { kind: 'cancel', body: { by: 'ana' } } as const;

test.each<[string, AttemptState, Reason, MessageContent, boolean, boolean]>([
  ['the first of two approvals', 'WAITING_FOR_APPROVAL', 'paused_for_approval', approve, false, true],
  ['the last approval', 'WAITING_FOR_APPROVAL', 'paused_for_approval', approve, true, false],
  ['a word to what is suspended', 'SUSPENDED', 'suspended', { kind: 'say', body: { text: 'Hello.' } }, false, true],
  ['a resume', 'SUSPENDED', 'suspended', { kind: 'resume', body: { by: 'ana' } }, true, false],
  ['a cancel', 'WAITING_FOR_APPROVAL', 'paused_for_approval', cancel, false, false],
  ['a suspend', 'WAITING_FOR_EFFECT', 'waiting_for_effect', { kind: 'suspend', body: { by: 'ana' } }, false, false],
])('M4 after %s the pause stands or is over', async (_what, state, reason, content, leaves, expected) => {
  const ref = await pausedAs(state, reason);
  expect(await settled(ref)).toBe(true);
  await taken(ref, content, leaves);
  expect(await settled(ref)).toBe(expected);
});

test.each<[EffectClass, boolean]>([
  ['unsafe', true],
  ['probed', false],
])('M8 a cancel that an unknown effect of class %s holds open is settled: %s', async (effectClass, expected) => {
  const ref = await started(pool, { task: `open-${effectClass}` });
  const owner = '00000000-0000-4000-8000-000000000000';
  await inMove(ref, 1, (tx) => {
    tx.update({ state: 'CANCELLING' });
    tx.insertEffect({
      key: `${ref.id}/s1.a0`,
      generation: 1,
      step: 1,
      index: 0,
      tool: 'send_email',
      effectClass,
      target: 'mail:a',
      argsHash: 'ab'.repeat(32),
      phase: 'SENT',
      owner,
      approval: null,
      authorization: { rule: 'r', policy: 'p' },
    });
  });
  expect(await settled(ref)).toBe(false);
  await inMove(ref, 2, (tx) => tx.updateEffect({ key: `${ref.id}/s1.a0`, generation: 1 }, 1, { phase: 'UNKNOWN' }));
  expect(await settled(ref)).toBe(expected);
});
