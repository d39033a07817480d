import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createLedger } from '../../src/ledger/ledger';
import { Gate } from '../support/gate';
import { freshLedger, started } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

test('M9 a worker that stands still in the middle of a transaction holds the attempt for no longer than it is taken for dead', async () => {
  const ref = await started(pool);
  const ledger = createLedger(pool);
  const gate = new Gate();
  const frozen = ledger.transact(ref, { n: 1 }, async (tx) => {
    tx.update({ turn: 7 });
    await gate.pass();
  });
  frozen.catch(() => undefined); // told below
  await gate.reached(1);

  // Waits for the row that the frozen one has locked.
  await ledger.transact(ref, { n: 1 }, (tx) => tx.update({ turn: 2 }));

  gate.open();
  await expect(frozen).rejects.toMatchObject({ name: 'LedgerUnavailableError' });
  await sleep(100); // what it would still write, it has written by now
  expect((await ledger.attempt(ref)).turn).toBe(2);
});
