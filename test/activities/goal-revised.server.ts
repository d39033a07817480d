import type { Limits } from '../../src/domain/budget/account';
import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import type { MessageContent, SayBody } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows, effectRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, rowsOf } from '../support/ledger-rows';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** A goal that is revised in the middle (R1.2): what follows for what was approved, proposed and sent under the old one. */

let sends: string[];
let fault: (() => void) | undefined;
/** While a write is prepared. */
let meanwhile: (() => Promise<void>) | undefined;
let world: ActivityWorld;

beforeAll(async () => {
  const refund = tool({
    name: 'refund',
    effect: 'deduplicated',
    run: async (_args, { idempotencyKey }) => {
      sends.push(idempotencyKey);
      fault?.();
      return ok('refunded');
    },
  });
  const prepared = tool({
    name: 'prepared',
    effect: 'deduplicated',
    run: async (_args, { idempotencyKey }) => {
      sends.push(idempotencyKey);
      return ok('sent');
    },
    write: {
      prepare: async (args: unknown) => {
        await meanwhile?.();
        return args;
      },
    },
  });
  const look = tool({ name: 'look', run: () => ok('seen') });
  const calls = [{ tool: 'refund', args: { order: 1042 } }, { tool: 'look' }];
  const slow = { attempt: 'prepared', from: 1, calls: [{ tool: 'prepared', args: { order: 1 } }, { tool: 'look' }] };
  const answers = ['revised', 'cancelled', 'spent', 'refused'].map((name) => ({
    attempt: `end-${name}`,
    from: 1,
    text: 'Refunded.',
  }));
  const entries = [slow, ...answers, { from: 1, calls }];
  world = await activityWorld({ entries }, [refund, prepared, look], {}, testPolicy(writesAsk()));
});
beforeEach(() => {
  sends = [];
  fault = undefined;
  meanwhile = undefined;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

let messages = 0;
async function send({ ref }: AttemptDriver, content: MessageContent): Promise<void> {
  messages += 1;
  await insertMessage(world.pool, ref, { ...content, id: `m-${messages}` });
}
const revise = (attempt: AttemptDriver, text: string, by: Pick<SayBody, 'by'> = { by: 'ana' }) =>
  send(attempt, { kind: 'say', body: { text, ...by, revise: true } });
const answer = (attempt: AttemptDriver, { index }: PlannedAction, kind: 'approve' | 'deny' = 'approve') =>
  send(attempt, { kind, body: { actionId: actionId(attempt.ref.id, attempt.step, index), by: 'ana' } });
const wait = (attempt: AttemptDriver, { index }: PlannedAction) =>
  attempt.record({ at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index });
const statesOf = async ({ ref }: AttemptDriver) => (await approvalRows(world.pool, ref)).map(({ state }) => state);
const refused = { kind: 'denied', code: 'GOAL_REVISED' };

/** An attempt whose write waits for an approval; a read stands behind it. */
async function waiting(task: string) {
  const attempt = new AttemptDriver(
    await world.worker(),
    await world.attempt({ task, contract: { goal: 'Refund it.' } }),
  );
  const [write, read] = await attempt.actions();
  if (!write || !read) throw new Error('Two actions are needed.');
  expect((await attempt.act(write)).answer).toMatchObject({ kind: 'needs_approval' });
  return { attempt, write, read };
}

test('R1.2 R5.3 a goal revised while an approval waits: it is void, what it was for is never sent, and the model sees the revision next', async () => {
  const { attempt, write, read } = await waiting('waits');
  await revise(attempt, 'Refund half of it.');

  expect((await wait(attempt, write)).answer).toEqual({ kind: 'go' });
  expect(await statesOf(attempt)).toEqual(['voided']);
  await answer(attempt, write);
  expect((await attempt.act(write)).answer).toEqual(refused);
  expect((await attempt.act(read)).answer).toEqual(refused);
  expect(sends).toEqual([]);
  expect(await payloads(world.pool, attempt.ref, 'message_rejected')).toMatchObject([{ kind: 'approve' }]);
  expect(await payloads(world.pool, attempt.ref, 'goal_revised')).toMatchObject([{ contractVersion: 2 }]);

  await attempt.think();
  const request = world.model.requests().at(-1);
  const shown = JSON.stringify(request?.body());
  expect(shown).toContain('Refund it.');
  expect(shown).toContain('Revised by the user');
  expect(shown).toContain('Refund half of it.');
  expect(shown).toContain('GOAL_REVISED');
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ toolErrors: {}, toolCalls: 0 });
});

test.each([
  ['granted before', ['approve', 'wait', 'revise']],
  ['granted in the same moment', ['approve', 'revise']],
  ['granted after', ['revise', 'approve']],
])('R5.3 a yes that was %s the revision lets nothing happen', async (name, order) => {
  const { attempt, write } = await waiting(`yes-${name.replaceAll(' ', '-')}`);
  for (const step of order) {
    if (step === 'approve') await answer(attempt, write);
    else if (step === 'wait') expect((await wait(attempt, write)).answer).toEqual({ kind: 'go' });
    else await revise(attempt, 'Another one.');
  }
  expect((await attempt.act(write)).answer).toEqual(refused);
  expect(sends).toEqual([]);
  expect(await statesOf(attempt)).toEqual(['voided']);
  expect(await effectRows(world.pool, attempt.ref)).toEqual([]);
});

test('R5.3 R4.9 a goal that is revised while an approved write is prepared: it is not sent', async () => {
  const { attempt, write } = await waiting('prepared');
  await answer(attempt, write);
  expect((await wait(attempt, write)).answer).toEqual({ kind: 'go' });
  meanwhile = () => revise(attempt, 'Do not.');
  expect((await attempt.act(write)).answer).toMatchObject({ kind: 'failed' });
  meanwhile = undefined;
  expect((await attempt.act(write, { tryNumber: 2 })).answer).toEqual(refused);
  expect(sends).toEqual([]);
  expect(await statesOf(attempt)).toEqual(['voided']);
});

test('R1.2 what is proposed after the revision is asked for anew, under the new contract', async () => {
  const { attempt, write, read } = await waiting('anew');
  await revise(attempt, 'And quickly.');
  for (const action of [write, read]) expect((await attempt.act(action)).answer).toEqual(refused);

  const [again] = await attempt.actions();
  if (!again) throw new Error('No action.');
  expect((await attempt.act(again)).answer).toMatchObject({ kind: 'needs_approval' });
  await answer(attempt, again);
  expect((await wait(attempt, again)).answer).toEqual({ kind: 'go' });
  expect((await attempt.act(again)).answer).toEqual({ kind: 'observed', ok: true });
  expect(sends).toHaveLength(1);
});

test('E5 R1.2 what was sent before the revision is sent again with its key, as ever', async () => {
  const { attempt, write } = await waiting('sent');
  await answer(attempt, write);
  expect((await wait(attempt, write)).answer).toEqual({ kind: 'go' });
  fault = () => {
    throw new Error('connection lost');
  };
  expect((await attempt.act(write)).answer).toMatchObject({ kind: 'failed' });
  fault = undefined;
  await revise(attempt, 'Stop.');

  expect((await attempt.act(write, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });
  expect(new Set(sends).size).toBe(1);
  expect(await payloads(world.pool, attempt.ref, 'goal_revised')).toHaveLength(1);
});

test('R1.2 a revision that cannot be taken changes nothing, and says why', async () => {
  const { attempt, write } = await waiting('refused');
  await revise(attempt, 'x'.repeat(4_001));
  expect((await wait(attempt, write)).answer).toEqual({ kind: 'none' });
  expect(await payloads(world.pool, attempt.ref, 'message_rejected')).toMatchObject([
    { why: 'A revision of the goal has at most 4000 characters, and this one 4001. The goal stands as it was.' },
  ]);
  expect(await statesOf(attempt)).toEqual(['open']);
  const inputs = await rowsOf(world.pool, attempt.ref, 'select 1 from inputs where attempt = $1');
  expect(inputs).toHaveLength(1);
});

const end = { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 } as const;

/** What a step proposed holds by the evidence; nothing is committed but what was sent. */
async function verified(task: string, limits: Partial<Limits> = {}) {
  const worker = await world.worker();
  const refunded = { id: 'refunded', check: 'external', tool: 'look', args: {}, expect: {} } as const;
  const contract = { kind: 'business_action', goal: 'Refund it.', acceptance: [refunded] } as const;
  const attempt = new AttemptDriver(worker, await world.attempt({ task, contract, limits }));
  await attempt.think();
  const evidence = { candidate: 1, criterion: 'refunded', met: true, snapshot: null };
  const body = { check: 'external', detail: 'It is there.' } as const;
  await worker.ledger.transact(attempt.ref, { n: attempt.n }, (tx) => tx.insert('evidence', { ...evidence, body }));
  return attempt;
}

test('R1.2 R2.5 a goal revised after its candidate was verified: the attempt does not complete, and its next turn has the new goal', async () => {
  const attempt = await verified('end-revised');
  await revise(attempt, 'Refund half of it.');
  expect(await attempt.record(end)).toMatchObject({ answer: { kind: 'said', turn: 2 }, named: [{ as: 'taken' }] });

  attempt.turn = 2;
  await attempt.think();
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('Refund half of it.');
  expect((await attempt.record(end)).answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
});

test('R1.2 M5 a cancel that waits beside a revision goes first, and without a turn left the attempt is suspended', async () => {
  const cancelled = await verified('end-cancelled');
  await revise(cancelled, 'Refund half of it.');
  await send(cancelled, { kind: 'cancel', body: { by: 'ana' } });
  expect((await cancelled.record(end)).answer).toEqual({ kind: 'cancel' });

  const spent = await verified('end-spent', { maxTurns: 1 });
  await revise(spent, 'Refund half of it.');
  expect((await spent.record(end)).answer).toEqual({ kind: 'over_budget', limit: 'maxTurns', least: 2 });
});

test('R1.2 a revision that is refused at the end lets the attempt complete, and its sender is told why', async () => {
  const attempt = await verified('end-refused');
  await revise(attempt, 'x'.repeat(4_001));
  expect(await attempt.record(end)).toMatchObject({
    answer: { kind: 'ended', state: 'COMPLETED' },
    named: [{ as: 'rejected', why: expect.stringContaining('at most 4000 characters') }],
  });
});
