import type { Pool } from 'pg';
import { loadConfig } from '../../src/config';
import { createLedger } from '../../src/ledger/ledger';
import type { AttemptRef } from '../../src/protocol/ids';
import { answerApproval } from '../../src/requests/acts/answer-approval';
import { cancelAttempt } from '../../src/requests/acts/cancel-attempt';
import type { Sender, Session } from '../../src/requests/session';
import { freshLedger, started } from '../ledger/support/ledger';
import { tempFolder } from '../support/temp-folder';

/** A real ledger; whom a message would wake is of no interest here. */
let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const config = loadConfig({ cwd: tempFolder('holdfast-sender-'), env: {} });
const sessionOf = (sender: Sender): Session => ({
  config,
  tenant: 'default',
  pool,
  sender,
  temporal: (use) => use({ workflow: { getHandle: () => ({ signal: async () => undefined }) } } as never),
});
const atCli: Sender = { door: 'cli', name: 'ana' };
const atGateway: Sender = { door: 'gateway', name: 'ana', roles: ['approver'], requestId: 'r-1' };

const inboxOf = async ({ key }: AttemptRef) =>
  (await pool.query<{ id: string; body: unknown }>('select id, body from inbox where attempt = $1', [key])).rows;

/** What an attempt does that takes a message as soon as it is there. */
async function taking(ref: AttemptRef): Promise<void> {
  for (let n = 1, left = true; left; n += 1)
    await createLedger(pool).transact(ref, { n }, (tx) => {
      left = tx.messages.length === 0;
      for (const { id } of tx.messages) tx.dispose(id, 'taken');
    });
}

test.each([
  ['cli', atCli, /^cli\/[0-9a-f-]{36}$/, undefined],
  ['gateway', atGateway, /^gateway\/r-1$/, 'authenticated'],
])(
  'R5.5 an answer at the door %s tells by its id where it came from, and only one who signed in has proved who they are',
  async (_door, sender, id, channel) => {
    const ref = await started(pool, { task: `answer-${sender.door}` });
    const action = `${ref.id}/s1.a0`;
    const asked = answerApproval(sessionOf(sender), ref, { kind: 'deny', action, binding: 'ab' });
    await Promise.all([asked, taking(ref)]);
    const body = { actionId: action, by: 'ana', binding: 'ab', ...(channel && { channel }) };
    expect(await inboxOf(ref)).toEqual([{ id: expect.stringMatching(id), body }]);
  },
);

test('M4 a request that is sent again is the same message', async () => {
  const ref = await started(pool, { task: 'sent-again' });
  const cancelled = () => cancelAttempt(sessionOf(atGateway), ref, { reason: 'wrong order' });
  expect(await cancelled()).toEqual({ messageId: 'gateway/r-1' });
  expect(await cancelled()).toEqual({ messageId: 'gateway/r-1' });
  expect(await inboxOf(ref)).toHaveLength(1);
});
