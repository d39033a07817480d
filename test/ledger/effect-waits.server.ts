import type { Pool } from 'pg';
import type { EffectPhase } from '../../src/domain/effect/effect';
import { createLedger } from '../../src/ledger/ledger';
import { unwokenMessages } from '../../src/ledger/sweep';
import type { AttemptRef } from '../../src/protocol/ids';
import { refund } from './contract/effect-rows';
import { end, freshLedger, started } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

/** An effect in this phase, and an attempt that waits for it. */
async function waiting(name: string, phase: EffectPhase): Promise<{ waiter: AttemptRef; key: string }> {
  const [owner, waiter] = [await started(pool, { task: `${name}-owner` }), await started(pool, { task: name })];
  const ledger = createLedger(pool);
  const row = refund({ key: `create_refund/${name}` });
  await ledger.transact(owner, { n: 1 }, (tx) => {
    tx.insertEffect(row);
    tx.updateEffect(row, 1, { phase, sent: true });
  });
  await ledger.transact(waiter, { n: 1 }, (tx) => tx.waitForEffect(row));
  return { waiter, key: row.key };
}
const woken = async ({ key }: AttemptRef) => (await unwokenMessages(pool)).filter(({ ref }) => ref.key === key);

test.each(['COMMITTED', 'NOT_COMMITTED', 'COMPENSATED'] as const)(
  'E7 who waits for an effect is told at once that it is %s, by one message',
  async (phase) => {
    const { waiter, key } = await waiting(phase.toLowerCase().replace('_', '-'), phase);
    const message = { ref: waiter, id: `effect/${key}/g1`, kind: 'effectSettled' };
    expect(await woken(waiter)).toEqual([message]);
    expect(await woken(waiter)).toEqual([message]);

    const messages = await createLedger(pool).transact(waiter, { n: 2 }, (tx) => {
      tx.dispose(message.id, 'taken');
      return tx.messages;
    });
    expect(messages).toMatchObject([{ kind: 'effectSettled', body: { effect: `default/${key}/g1` } }]);
    expect(await woken(waiter)).toEqual([]);
  },
);

test.each(['CLAIMED', 'SENT', 'UNKNOWN'] as const)('E7 nobody is told of an effect that is %s', async (phase) => {
  const { waiter } = await waiting(phase.toLowerCase(), phase);
  expect(await woken(waiter)).toEqual([]);
});

test('E7 who has stopped waiting, or has ended, is told nothing', async () => {
  const [stopped, ended] = [await waiting('stopped', 'COMMITTED'), await waiting('ended', 'COMMITTED')];
  await createLedger(pool).transact(stopped.waiter, { n: 2 }, (tx) => tx.waitForEffect(undefined));
  await end(pool, ended.waiter, 'CANCELLED', 'cancelled');
  expect(await woken(stopped.waiter)).toEqual([]);
  expect(await woken(ended.waiter)).toEqual([]);
});
