import type { Pool } from 'pg';
import { createLedger } from '../../../src/ledger/ledger';
import { attemptDetails } from '../../../src/ledger/queries/attempt-details';
import { effectList } from '../../../src/ledger/queries/effect-list';
import { inbox } from '../../../src/ledger/queries/inbox';
import { openApprovals } from '../../../src/ledger/queries/open-approvals';
import type { AttemptRef } from '../../../src/protocol/ids';
import { request } from '../contract/effect-rows';
import { action, hashOf, step } from '../contract/rows';
import { end, freshLedger, started } from '../support/ledger';
import { keys, writeSoundEffects } from '../verify/sound-effects';

let pool: Pool;
let close: () => Promise<void>;
let refunds: AttemptRef;
let asking: AttemptRef;
let heldUp: AttemptRef;
let stranger: AttemptRef;
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

async function asks(ref: AttemptRef): Promise<void> {
  await createLedger(pool).transact(ref, { n: 1 }, (tx) => {
    tx.update({ step: 1 });
    tx.insert('actions', action());
    tx.insertApproval(request());
    tx.insertApprovalAnswer(request(), { by: 'ana', answer: 'approve', channel: 'asserted', messageId: 'm' });
    tx.insert('actions', action({ index: 1, args: { hash: hashOf('9'), bytes: 40_000 } }));
    tx.insertApproval(request({ index: 1 }));
    tx.closeApproval(request({ index: 1 }), 'granted');
  });
}

beforeAll(async () => {
  ({ pool, close } = await freshLedger());
  refunds = await started(pool, { task: 'refunds' });
  await writeSoundEffects(pool, refunds);
  asking = await started(pool, { task: 'asking' });
  heldUp = await started(pool, { task: 'held-up' });
  stranger = await started(pool, { task: 'stranger', tenant: 'other' });
  await asks(asking);
  await asks(stranger);
  const over = await started(pool, { task: 'over' });
  await asks(over);
  await end(pool, over, 'CANCELLED', 'cancelled');
  await createLedger(pool).transact(heldUp, { n: 1 }, (tx) => tx.waitForEffect({ key: keys.open, generation: 1 }));
});
afterAll(() => close());

test('R4.2 the effects of an attempt are listed with the fields that programs rely on', async () => {
  const effects = await effectList(pool, refunds);
  expect(effects).toHaveLength(5);
  expect(effects[0]).toEqual({
    actionId: 'refunds/1/s1.a0',
    unknown: null,
    evidence: [],
    tool: 'tool',
    target: keys.committed,
    key: `default/${keys.committed}/g1`,
    argsHash: hashOf('a'),
    phase: 'COMMITTED',
    tries: 1,
    sentAt: iso,
    committedAt: iso,
    downstreamId: null,
    authorization: { rule: 'small-refunds', policy: 'p1', approvedBy: ['ana', 'ben'] },
  });
  expect(effects.map(({ key, phase, committedAt }) => [key, phase, committedAt !== null])).toEqual([
    [`default/${keys.committed}/g1`, 'COMMITTED', true],
    [`default/${keys.refused}/g1`, 'NOT_COMMITTED', false],
    [`default/${keys.told}/g1`, 'NOT_COMMITTED', false],
    [`default/${keys.open}/g1`, 'UNKNOWN', false],
    [`default/${keys.refused}/g2`, 'SENT', false],
  ]);
  expect(await effectList(pool, asking)).toEqual([]);
});

test('R5.3 an open request is shown with all that the answer would be about', async () => {
  expect(await openApprovals(pool, { tenant: 'default' })).toEqual([
    {
      attemptId: 'asking/1',
      actionId: 'asking/1/s1.a0',
      tool: 'create_refund',
      args: '{"amount":40}',
      target: 'order:1042',
      binding: hashOf('b'),
      rule: 'large-refunds',
      policy: 'p1',
      approvers: ['role:finance'],
      needed: 2,
      channel: 'asserted',
      answers: [{ by: 'ana', answer: 'approve', channel: 'asserted' }],
      askedAt: iso,
      expiresAt: new Date(request().expiresAt).toISOString(),
    },
  ]);
  expect(await openApprovals(pool, { tenant: 'default', attempt: refunds.key })).toEqual([]);
});

test('R12.5 the inbox of a tenant has what its people are waited for, and nothing of another', async () => {
  const asked = await started(pool, { task: 'asked' });
  await createLedger(pool).transact(asked, { n: 1 }, (tx) => {
    tx.update({ state: 'WAITING_FOR_USER', reason: 'waiting_for_user', step: 1 });
    tx.insert('steps', step({ body: { text: 'Which?' } }));
    tx.insert('actions', action({ tool: 'ask_user', args: { text: '{"question":"Which?"}' } }));
  });
  const suspended = await started(pool, { task: 'suspended' });
  await createLedger(pool).transact(suspended, { n: 1 }, (tx) => {
    tx.update({ state: 'SUSPENDED', reason: 'budget_exceeded' });
    tx.emit({ type: 'budget_exceeded', payload: { limit: 'maxTurns', used: 3, max: 3 } });
  });

  const waiting = await inbox(pool, 'default');
  expect(waiting.approvals.map(({ actionId }) => actionId)).toEqual(['asking/1/s1.a0']);
  expect(waiting.unknownEffects).toEqual([
    {
      attemptId: 'refunds/1',
      actionId: 'refunds/1/s1.a3',
      cause: null,
      tool: 'tool',
      effectClass: 'probed',
      args: '{"amount":40}',
      target: keys.open,
      key: `default/${keys.open}/g1`,
      sentAt: iso,
      asked: false,
      heldUp: ['held-up/1'],
    },
  ]);
  expect(waiting.attempts).toMatchObject([
    {
      attemptId: 'asked/1',
      state: 'WAITING_FOR_USER',
      reason: 'waiting_for_user',
      lastStep: { text: 'Which?', actions: [{ actionId: 'asked/1/s1.a0', args: '{"question":"Which?"}' }] },
      exceeded: null,
    },
    { attemptId: 'suspended/1', reason: 'budget_exceeded', exceeded: { limit: 'maxTurns', used: 3, max: 3 } },
  ]);
  expect(await inbox(pool, 'other')).toMatchObject({
    approvals: [{ attemptId: 'stranger/1' }],
    unknownEffects: [],
    attempts: [],
  });
});

test('R4.7 the details of an attempt have its effects, its open requests, and what it waits for', async () => {
  await pool.query(`update attempts set state = 'RECONCILING', reason = 'reconcile_required' where key = $1`, [
    refunds.key,
  ]);
  const details = await attemptDetails(pool, refunds);
  expect(details.effects).toEqual(await effectList(pool, refunds));
  expect(details.unknownEffects).toMatchObject([{ actionId: 'refunds/1/s1.a3', asked: true }]);
  expect((await attemptDetails(pool, asking)).approvals).toEqual(await openApprovals(pool, { tenant: 'default' }));
  expect((await attemptDetails(pool, heldUp)).waitsForEffect).toBe(`default/${keys.open}/g1`);
});
