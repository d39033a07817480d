import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { loadConfig } from '../../src/config';
import { registerWorker } from '../../src/ledger/leases';
import { createLedger } from '../../src/ledger/ledger';
import { deliver } from '../../src/requests/messages/deliver';
import { untaken } from '../../src/requests/messages/untaken';
import type { Session } from '../../src/requests/session';
import { connectTemporal } from '../../src/temporal/connect';
import { freshLedger, started } from '../ledger/support/ledger';
import { testStack } from '../support/stack';
import { tempFolder } from '../support/temp-folder';

/** A real ledger and a real Temporal, in which nobody has started the attempts. */
let pool: Pool;
let session: Session;
let close: () => Promise<void>;
let disconnect: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
  const config = loadConfig({ cwd: tempFolder('holdfast-deliver-'), env: {} });
  const client = await connectTemporal({
    address: (await testStack()).temporalAddress,
    namespace: 'default',
    connection: {},
  });
  session = { config, tenant: 'default', pool, sender: { door: 'cli', name: 'ana' }, temporal: (use) => use(client) };
  disconnect = () => client.connection.close();
});
afterAll(async () => {
  await disconnect();
  await close();
});

const suspend = { kind: 'suspend', body: { by: 'ana' } } as const;

test('M4 what became of a message is learnt from the ledger, whoever took or refused it', async () => {
  const ref = await started(pool, { task: 'fate' });
  const disposing = async (as: 'taken' | 'rejected') => {
    for (let left = 1; left > 0; ) {
      await createLedger(pool).transact(ref, { n: as === 'taken' ? 1 : 2 }, (tx) => {
        const waiting = tx.messages.filter(({ takenBy }) => takenBy === null);
        if (waiting.length > 0) left = 0;
        for (const { id } of waiting) tx.dispose(id, as, as === 'taken' ? undefined : 'not now');
      });
    }
  };
  const [taken] = await Promise.all([deliver(session, ref, suspend), disposing('taken')]);
  expect(taken.fate).toEqual({ kind: 'taken' });
  const [rejected] = await Promise.all([deliver(session, ref, suspend), disposing('rejected')]);
  expect(rejected.fate).toEqual({ kind: 'rejected', why: 'not now' });
});

test('M9 a message that nobody takes is stored: without a worker that is said, and with one that it comes later', async () => {
  const ref = await started(pool, { task: 'waits' });
  const { fate } = await deliver(session, ref, suspend);
  expect(fate).toEqual({ kind: 'waiting' });
  await expect(untaken(session, ref, 'suspend')).rejects.toMatchObject({
    code: 'no_worker',
    message: 'The suspend is stored, but no worker runs that could take it.',
    next: expect.stringContaining('holdfast up'),
  });
  await registerWorker(pool, randomUUID(), { pid: process.pid, pidStarted: 'now' });
  expect(await untaken(session, ref, 'suspend')).toContain('waits/1 takes it when what it does now is over');
});
