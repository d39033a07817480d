import { revoke } from '../../src/ledger/effects/revocations';
import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import type { ReconcileBody } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { agePast, effectRows, evidenceRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** Of the tool, ms; with a lease (3 s) it is what a "not committed" has to wait for. */
const timeoutMs = 10_000;
const longPastMs = 60_000;
let sends: number;
let lost: boolean;

const boxes = ['said', 'early', 'against', 'twice', 'nothing', 'waited', 'later', 'stranger', 'revised'] as const;
type Box = (typeof boxes)[number];
let world: ActivityWorld;
beforeAll(async () => {
  const mail = tool({
    name: 'mail',
    effect: 'unsafe',
    timeoutMs,
    write: { target: (args) => `mailbox:${(args as { box: string }).box}` },
    async run() {
      sends += 1;
      if (lost) throw new Error('connection lost');
      return ok('Mailed.');
    },
  });
  // Each test has a mailbox of its own, so that what one leaves open stands in no other's way.
  const mails = (box: string) => ({ 1: { calls: [1, 2].map((n) => ({ tool: 'mail', args: { box, n } })) } });
  const attempts = Object.fromEntries(
    boxes.flatMap((box) => [
      [box, mails(box)],
      [`${box}-too`, mails(box)],
    ]),
  );
  const people = ['ana', 'eva'].map((name) => ({ name, roles: [] }));
  world = await activityWorld({ attempts }, [mail], {}, testPolicy(undefined, people));
});
beforeEach(() => {
  sends = 0;
  lost = true;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An attempt whose first mail was sent and not answered. */
async function unknown(task: Box) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  const [first, second] = await attempt.actions();
  if (!first || !second) throw new Error('Two actions are needed.');
  expect((await attempt.act(first)).answer).toEqual({ kind: 'unknown' });
  return { attempt, first, second, id: actionId(attempt.ref.id, attempt.step, first.index) };
}
const wait = (attempt: AttemptDriver, { index }: PlannedAction, beside = {}) =>
  attempt.record({ at: 'wait', state: 'RECONCILING', step: attempt.step, index }, beside);

/** By ana, with evidence, where a test does not say otherwise. */
type Word = Pick<ReconcileBody, 'actionId' | 'outcome'> & Partial<ReconcileBody>;
let said = 0;
const store = async (attempt: AttemptDriver, body: Word) => {
  const id = `word-${++said}`;
  const full = { by: 'ana', evidence: 'Asked the receiver.', ...body };
  await insertMessage(world.pool, attempt.ref, { id, kind: 'reconcile', body: full });
  return id;
};
/** A person's word, taken by the wait; says what became of both. */
async function say(attempt: AttemptDriver, action: PlannedAction, body: Word) {
  const id = await store(attempt, body);
  const waited = await wait(attempt, action, { wakes: [id] });
  const named = waited.named?.find((message) => message.id === id);
  return { kind: waited.answer.kind, as: named?.as, why: named?.why ?? '' };
}
test('R4.7 an unknown effect waits for a person, whose word with its evidence settles it; the action gets its outcome', async () => {
  const { attempt, first, id } = await unknown('said');
  expect((await wait(attempt, first)).answer).toEqual({ kind: 'none' });
  expect(await payloads(world.pool, attempt.ref, 'paused')).toEqual([
    { state: 'RECONCILING', reason: 'reconcile_required' },
  ]);

  expect(await say(attempt, first, { actionId: id, outcome: 'committed' })).toEqual({
    kind: 'go',
    as: 'taken',
    why: '',
  });
  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: true });

  expect(sends).toBe(1);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([
    { phase: 'COMMITTED', settled_by: 'person', outcome: 'Asked the receiver.' },
  ]);
  expect(await evidenceRows(world.pool, attempt.ref)).toMatchObject([
    { kind: 'person', body: { said: 'COMMITTED', by: 'ana', channel: 'asserted', evidence: 'Asked the receiver.' } },
  ]);
  expect(await payloads(world.pool, attempt.ref, 'effect_settled')).toMatchObject([
    { action: id, as: 'committed', by: 'person', name: 'ana' },
  ]);
});

test('E6 "not committed" is taken only once lease and time limit have passed, and the action then ends without a resend', async () => {
  const { attempt, first, second, id } = await unknown('early');
  const body = { actionId: id, outcome: 'not_committed' } as const;
  expect(await say(attempt, first, body)).toEqual({
    kind: 'none',
    as: 'rejected',
    why: expect.stringMatching(/may still be under way; say so again after 20\d\d-.*Z/),
  });
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'UNKNOWN' }]);

  await agePast(world.pool, attempt.ref, longPastMs);
  expect(await say(attempt, first, body)).toMatchObject({ kind: 'go', as: 'taken' });
  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: false });

  expect(sends).toBe(1);
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ code: 'NOT_COMMITTED' }]);
  lost = false;
  expect((await attempt.act(second)).answer).toEqual({ kind: 'observed', ok: true });
});

test('E4 a word against what is recorded changes nothing and is kept as a conflict; one that agrees is told so', async () => {
  const { attempt, first, id } = await unknown('against');
  await agePast(world.pool, attempt.ref, longPastMs);
  await say(attempt, first, { actionId: id, outcome: 'committed' });

  expect(await say(attempt, first, { actionId: id, outcome: 'committed' })).toMatchObject({
    as: 'rejected',
    why: expect.stringMatching(/settled already: it took effect at 20.*found out by person/),
  });
  expect(await say(attempt, first, { actionId: id, outcome: 'not_committed' })).toMatchObject({
    as: 'rejected',
    why: expect.stringMatching(/settled already.*contradiction/),
  });

  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'COMMITTED' }]);
  expect((await evidenceRows(world.pool, attempt.ref)).map(({ kind }) => kind)).toEqual(['person', 'conflict']);
  expect(await payloads(world.pool, attempt.ref, 'effect_conflict')).toMatchObject([
    { action: id, recorded: 'COMMITTED', said: 'NOT_COMMITTED' },
  ]);
});

test('E4 two words of one transaction that contradict each other: the first stands, the second is a conflict', async () => {
  const { attempt, first, id } = await unknown('twice');
  await agePast(world.pool, attempt.ref, longPastMs);
  await store(attempt, { actionId: id, outcome: 'not_committed' });
  await store(attempt, { actionId: id, outcome: 'committed' });

  const waited = await wait(attempt, first);

  expect(waited.answer).toEqual({ kind: 'go' });
  expect(waited.named?.map(({ as }) => as)).toEqual(['taken', 'rejected']);
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'NOT_COMMITTED' }]);
  expect(await payloads(world.pool, attempt.ref, 'effect_conflict')).toHaveLength(1);
});

test('R4.7 nobody speaks for what has nothing outside', async () => {
  const { attempt, first, second } = await unknown('nothing');
  for (const other of [actionId(attempt.ref.id, 1, second.index), 'other/1/s1.a0', 'nonsense']) {
    expect(await say(attempt, first, { actionId: other, outcome: 'committed' })).toMatchObject({
      kind: 'none',
      as: 'rejected',
      why: expect.stringMatching(/nothing outside to tell of.*holdfast effects/),
    });
  }
});

/** An attempt that waits for the effect which another one's mail has left open. */
async function behind(task: Box) {
  const other = new AttemptDriver(await world.worker(), await world.attempt({ task: `${task}-too` }));
  const [action] = await other.actions();
  if (!action) throw new Error('An action is needed.');
  expect((await other.act(action)).answer).toMatchObject({ kind: 'target_busy' });
  const waitFor = () =>
    other.record({ at: 'wait', state: 'WAITING_FOR_EFFECT', step: other.step, index: action.index });
  expect((await waitFor()).answer).toEqual({ kind: 'none' });
  return { other, action, waitFor };
}

test('E7 an attempt waits for the effect in its way until it is settled', async () => {
  const { attempt, first, id } = await unknown('waited');
  const { other, action, waitFor } = await behind('waited');
  expect(await payloads(world.pool, other.ref, 'paused')).toEqual([
    { state: 'WAITING_FOR_EFFECT', reason: 'waiting_for_effect' },
  ]);

  await say(attempt, first, { actionId: id, outcome: 'committed' });
  await insertMessage(world.pool, other.ref, { id: 'settled', kind: 'effectSettled', body: { effect: id } });
  const waited = await waitFor();

  expect(waited).toMatchObject({ answer: { kind: 'go' }, named: [{ id: 'settled', as: 'taken' }] });
  lost = false;
  expect((await other.act(action)).answer).toEqual({ kind: 'observed', ok: true });
  expect((await waitFor()).answer).toEqual({ kind: 'go' });
});

test('E7 R1.2 what a revised goal has done away with waits for no effect in its way', async () => {
  await unknown('revised');
  const { other, action, waitFor } = await behind('revised');

  const body = { text: 'Write no mail.', by: 'ana', revise: true } as const;
  await insertMessage(world.pool, other.ref, { id: 'r', kind: 'say', body });
  expect(await waitFor()).toMatchObject({ answer: { kind: 'go' }, named: [{ id: 'r', as: 'taken' }] });
  expect((await other.act(action)).answer).toEqual({ kind: 'denied', code: 'GOAL_REVISED' });
  expect(sends).toBe(1);
});

test('R5.5 where people are configured, nobody else and nobody revoked says what became of an effect', async () => {
  const { attempt, first, second, id } = await unknown('stranger');
  await agePast(world.pool, attempt.ref, longPastMs);
  await revoke(world.pool, 'default', { kind: 'principal', value: 'eva', reason: 'on leave', by: 'ana' });
  const words = {
    mallory: /names nobody as mallory; add them under "principals", or answer as somebody it names/,
    eva: /eva may answer nothing any more: on leave \(revoked by ana\)\. Somebody else has to/,
  };
  for (const [by, why] of Object.entries(words))
    for (const outcome of ['not_committed', 'committed'] as const)
      expect(await say(attempt, first, { actionId: id, outcome, by, evidence: 'Trust me.' })).toEqual({
        kind: 'none',
        as: 'rejected',
        why: expect.stringMatching(why),
      });
  expect(await effectRows(world.pool, attempt.ref)).toMatchObject([{ phase: 'UNKNOWN' }]);
  expect((await attempt.act(second)).answer).toMatchObject({ kind: 'target_busy' });
  expect(sends).toBe(1);

  const signedIn = { actionId: id, outcome: 'committed', channel: 'authenticated' } as const;
  expect(await say(attempt, first, signedIn)).toMatchObject({ kind: 'go', as: 'taken' });
  await say(attempt, first, { actionId: id, outcome: 'not_committed', by: 'mallory' });
  expect(await evidenceRows(world.pool, attempt.ref)).toMatchObject([
    { kind: 'person', body: { by: 'ana', channel: 'authenticated' } },
  ]);
  expect(await payloads(world.pool, attempt.ref, 'effect_conflict')).toEqual([]);
});

test('E6 a word that comes while another action is at work is left for the next call', async () => {
  const { attempt, first, second, id } = await unknown('later');
  const word = await store(attempt, { actionId: id, outcome: 'committed' });
  const acted = await attempt.act(second, { wakes: [word] });
  expect(acted.answer).toMatchObject({ kind: 'target_busy' });
  expect(acted.named).toBeUndefined();
  expect((await wait(attempt, first, { wakes: [word] })).named).toMatchObject([{ id: word, as: 'taken' }]);
});
