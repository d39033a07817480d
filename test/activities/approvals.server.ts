import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import type { AnswerBody, Message } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows, effectRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations } from '../support/ledger-rows';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** Terms by task, so that each test says what its rule demands. */
const terms = {
  one: {},
  two: { approvals: 2 },
  finance: { approvers: ['role:finance'] },
  signed: { channel: 'authenticated' },
  brief: { expiresInMs: 1_000 },
} as const;
const people = [
  { name: 'ana', roles: ['finance'] },
  { name: 'ben', roles: [] },
  { name: 'eva', roles: ['finance'] },
];
let world: ActivityWorld;
beforeAll(async () => {
  const run = (args: Record<string, unknown>) => ok(`refunded ${args['order']}`);
  const calls = [1, 2].map((order) => ({ tool: 'refund', args: { order } }));
  world = await activityWorld(
    { entries: [{ from: 1, calls }] },
    [tool({ name: 'refund', effect: 'deduplicated', run })],
    {},
    testPolicy((facts) => writesAsk(terms[facts.contract.task as keyof typeof terms])(facts), people),
  );
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An attempt whose first action asks for approval; the second is behind it. */
async function asking(task: keyof typeof terms = 'one') {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  const [first, second] = await attempt.actions();
  if (!first || !second) throw new Error('Two actions are needed.');
  const asked = (await attempt.act(first)).answer;
  if (asked.kind !== 'needs_approval') throw new Error(`It was answered with ${asked.kind}.`);
  return { attempt, first, second, ...asked };
}
const wait = (attempt: AttemptDriver, { index }: PlannedAction, beside = {}) =>
  attempt.record({ at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index }, beside);
const idOf = (attempt: AttemptDriver, { index }: PlannedAction) => actionId(attempt.ref.id, attempt.step, index);

let sent = 0;
/** Stores an answer and lets the wait take it; says what became of both. */
async function answer(attempt: AttemptDriver, kind: 'approve' | 'deny', body: AnswerBody, now = Date.now()) {
  const id = `answer-${++sent}`;
  await insertMessage(world.pool, attempt.ref, { id, kind, body });
  const waited = await attempt.record(
    { at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index: 0 },
    { wakes: [id], now },
  );
  const named = waited.named?.find((message) => message.id === id);
  return { kind: waited.answer.kind, as: named?.as, why: named?.why ?? '' };
}
const stateOf = async (attempt: AttemptDriver) =>
  (await approvalRows(world.pool, attempt.ref)).map(({ state }) => state);

test('R5.3 a yes lets the very action run, and nothing runs before it', async () => {
  const { attempt, first } = await asking();
  expect((await wait(attempt, first)).answer).toEqual({ kind: 'none' });
  expect(await effectRows(world.pool, attempt.ref)).toEqual([]);

  const body = { actionId: idOf(attempt, first), by: 'ana', reason: 'The parcel is lost.' };
  expect(await answer(attempt, 'approve', body)).toEqual({ kind: 'go', as: 'taken', why: '' });
  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: true });

  expect(await approvalRows(world.pool, attempt.ref)).toMatchObject([
    { state: 'spent', answers: ['ana approve asserted'] },
  ]);
  expect(await payloads(world.pool, attempt.ref, 'approval_answered')).toEqual([
    { action: idOf(attempt, first), answer: 'approve', by: 'ana', channel: 'asserted', left: 0 },
  ]);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'COMMITTED' }]);
});

test('R5.5 a no is the observation of the action, with who said it and why', async () => {
  const { attempt, first } = await asking();
  const body = { actionId: idOf(attempt, first), by: 'ben', reason: 'Ask the customer first.' };
  expect(await answer(attempt, 'deny', body)).toMatchObject({ kind: 'go', as: 'taken' });

  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'denied' });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([
    { ok: false, text: expect.stringMatching(/ben.*Ask the customer first/) },
  ]);
  expect(await effectRows(world.pool, attempt.ref)).toEqual([]);
});

test('R5.5 where two are needed two distinct people answer, also in one transaction', async () => {
  const { attempt, first } = await asking('two');
  const by = (name: string) => ({ actionId: idOf(attempt, first), by: name });
  expect(await answer(attempt, 'approve', by('ana'))).toEqual({ kind: 'none', as: 'taken', why: '' });
  expect(await answer(attempt, 'approve', by('ana'))).toMatchObject({
    kind: 'none',
    as: 'rejected',
    why: 'ana has answered this request already. Another person has to answer.',
  });
  expect(await answer(attempt, 'approve', by('ben'))).toMatchObject({ kind: 'go', as: 'taken' });

  const both = await asking('two');
  for (const [id, name] of Object.entries({ a: 'ana', again: 'ana', b: 'ben' })) {
    const body = { actionId: idOf(both.attempt, both.first), by: name };
    await insertMessage(world.pool, both.attempt.ref, { id, kind: 'approve', body });
  }
  const waited = await wait(both.attempt, both.first);
  expect(waited.answer).toEqual({ kind: 'go' });
  expect(waited.named?.map(({ id, as }) => [id, as])).toEqual([
    ['a', 'taken'],
    ['again', 'rejected'],
    ['b', 'taken'],
  ]);
  expect(await approvalRows(world.pool, both.attempt.ref)).toMatchObject([
    { state: 'granted', answers: ['ana approve asserted', 'ben approve asserted'] },
  ]);
});

test('R5.3 one request that waits may be meant by what it is bound to; another binding changes nothing', async () => {
  const { attempt, binding } = await asking();
  expect(await answer(attempt, 'approve', { by: 'ana', binding: 'f'.repeat(64) })).toMatchObject({
    kind: 'none',
    as: 'rejected',
    why: expect.stringMatching(/another binding/),
  });
  expect(await answer(attempt, 'approve', { by: 'ana' })).toMatchObject({ as: 'rejected' });
  expect(await answer(attempt, 'approve', { by: 'ana', binding })).toMatchObject({ kind: 'go', as: 'taken' });
});

test.each([
  ['an unknown action', 'one', 'nobody/1/s1.a0', 'ana', /asks for no approval/],
  ['an action that did not ask', 'one', undefined, 'ana', /asks for no approval/],
  ['nobody that configuration names', 'one', 'first', 'mallory', /names nobody as mallory/],
  ['nobody that policy names', 'finance', 'first', 'ben', /Policy asks role:finance/],
  ['an asserted answer where a signed one is demanded', 'signed', 'first', 'ana', /signed in/],
] as const)('R5.5 %s changes nothing, and is told so', async (_what, task, action, by, why) => {
  const { attempt, first, second } = await asking(task);
  const meant = action === 'first' ? idOf(attempt, first) : (action ?? idOf(attempt, second));

  expect(await answer(attempt, 'approve', { actionId: meant, by })).toEqual({
    kind: 'none',
    as: 'rejected',
    why: expect.stringMatching(why),
  });
  expect(await stateOf(attempt)).toEqual(['open']);
  expect(await payloads(world.pool, attempt.ref, 'message_rejected')).toMatchObject([
    { kind: 'approve', why: expect.stringMatching(why) },
  ]);
});

test('R5.5 a channel that was typed by hand counts for nothing; one that the gateway stored does', async () => {
  const { attempt, first } = await asking('signed');
  const body: AnswerBody = { actionId: idOf(attempt, first), by: 'ana', channel: 'authenticated' };
  const typed: Message = { id: 'typed', kind: 'approve', body };
  const waited = await wait(attempt, first, { messages: [typed] });
  expect(waited.answer).toEqual({ kind: 'none' });
  expect(waited.named).toMatchObject([{ id: 'typed', as: 'rejected', why: expect.stringMatching(/signed in/) }]);

  expect(await answer(attempt, 'approve', body)).toMatchObject({ kind: 'go', as: 'taken' });
});

test('R4.9 whoever was revoked answers nothing any more', async () => {
  const { attempt, first } = await asking();
  await world.pool.query(
    `insert into revocations (tenant, kind, value, reason, by_name) values ('default', 'principal', 'eva', 'on leave', 'ana')`,
  );
  expect(await answer(attempt, 'approve', { actionId: idOf(attempt, first), by: 'eva' })).toMatchObject({
    kind: 'none',
    as: 'rejected',
    why: expect.stringMatching(/eva may answer nothing any more: on leave \(revoked by ana\)/),
  });
});

test('R5.3 a request expires at its instant by the workflow clock, and an answer of the same transaction is too late', async () => {
  const { attempt, first, expiresAt } = await asking('brief');
  expect((await wait(attempt, first, { now: expiresAt - 1 })).answer).toEqual({ kind: 'none' });

  const body = { actionId: idOf(attempt, first), by: 'ana' };
  expect(await answer(attempt, 'approve', body, expiresAt)).toEqual({
    kind: 'go',
    as: 'rejected',
    why: expect.stringMatching(/expired/),
  });

  expect(await stateOf(attempt)).toEqual(['expired']);
  expect((await attempt.act(first, { now: expiresAt })).answer).toMatchObject({ kind: 'denied' });
  expect(await answer(attempt, 'approve', body, expiresAt)).toMatchObject({ as: 'rejected' });
  expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'approval_closed')).toHaveLength(1);
});

test('R5.3 an answer just before the instant of expiry stands, also when the wait looks later', async () => {
  const { attempt, first, expiresAt } = await asking('brief');
  const body = { actionId: idOf(attempt, first), by: 'ana' };
  expect(await answer(attempt, 'approve', body, expiresAt - 1)).toMatchObject({ kind: 'go', as: 'taken' });
  expect(await stateOf(attempt)).toEqual(['granted']);
});

test('R5.3 a late answer changes nothing: what was decided stays', async () => {
  const { attempt, first } = await asking();
  const by = (name: string) => ({ actionId: idOf(attempt, first), by: name });
  await answer(attempt, 'approve', by('ana'));
  expect(await answer(attempt, 'deny', by('ben'))).toMatchObject({
    kind: 'go',
    as: 'rejected',
    why: expect.stringMatching(/approved already.*holdfast revoke --approval/),
  });
  await attempt.act(first);
  expect(await answer(attempt, 'deny', by('ben'))).toMatchObject({ why: expect.stringMatching(/carried out/) });
});

test('R5.3 a cancel voids what was asked, and an answer after it finds the end', async () => {
  const { attempt, first } = await asking();
  await insertMessage(world.pool, attempt.ref, { id: 'stop', kind: 'cancel', body: { by: 'ana' } });
  expect((await wait(attempt, first)).answer).toEqual({ kind: 'cancel' });
  const late = { id: 'late', kind: 'approve', body: { actionId: idOf(attempt, first), by: 'ana' } } as const;
  await insertMessage(world.pool, attempt.ref, late);

  const settled = await attempt.settle({ wakes: ['late'] });

  expect(settled.answer).toEqual({ kind: 'ended', state: 'CANCELLED', reason: 'cancelled' });
  expect(settled.named).toMatchObject([{ id: 'late', as: 'rejected', why: expect.stringMatching(/cancelled/) }]);
  expect(await stateOf(attempt)).toEqual(['voided']);
  expect(await payloads(world.pool, attempt.ref, 'approval_closed')).toEqual([
    { action: idOf(attempt, first), as: 'voided' },
  ]);
});

test('R5.4 an action that a suspension broke off has nothing to approve any more', async () => {
  const { attempt, first } = await asking();
  const paused = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;
  const into = [{ r: 1, event: { type: 'state_moved', payload: { path: ['SUSPENDED'] } } }] as const;
  await attempt.record(paused, { riders: into });
  await insertMessage(world.pool, attempt.ref, { id: 'on', kind: 'resume', body: { by: 'ana' } });
  expect((await attempt.record(paused)).answer).toEqual({ kind: 'resume' });

  expect(await stateOf(attempt)).toEqual(['voided']);
  expect((await observations(world.pool, attempt.ref)).map(({ code }) => code)).toEqual(['NOT_RUN', 'NOT_RUN']);
  expect(await answer(attempt, 'approve', { actionId: idOf(attempt, first), by: 'ana' })).toMatchObject({
    as: 'rejected',
    why: expect.stringMatching(/withdrawn/),
  });
});

test('R12.1 a wait is one pause with one checkpoint, however often it is woken; the next wait is another', async () => {
  const { attempt, first, second } = await asking();
  for (let wake = 0; wake < 3; wake += 1) await wait(attempt, first);
  await answer(attempt, 'approve', { actionId: idOf(attempt, first), by: 'ana' });
  await attempt.act(first);
  await attempt.act(second);
  await wait(attempt, second);

  const paused = { state: 'WAITING_FOR_APPROVAL', reason: 'paused_for_approval' };
  expect(await payloads(world.pool, attempt.ref, 'paused')).toEqual([paused, paused]);
});
