import { createGiveUp } from '../../src/activities/give-up';
import type { Call, CallKind } from '../../src/protocol/calls';
import type { Message } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld, callOf } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, eventTypes, modelTries, observations, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let gate: Gate;
beforeAll(async () => {
  world = await activityWorld({ entries: [{ from: 1, calls: [{ tool: 'wait' }] }] }, [
    tool({
      name: 'wait',
      run: async (_args, { signal }) => {
        await gate.pass(signal);
        return ok('Done.');
      },
    }),
  ]);
});
beforeEach(() => {
  gate = new Gate();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task: 'give-up' }));
}
const giveUp = (attempt: AttemptDriver, kind: CallKind, call: Call) =>
  createGiveUp(attempt.worker)({ call, kind, code: 'TIMEOUT_HEARTBEAT' });
const thinkCall = (attempt: AttemptDriver, beside: Partial<Call<'think'>> = {}) =>
  callOf<'think'>(attempt.ref, 1, { step: 1, turn: 1, model: 0, try: 1 }, beside);

/** An action in flight whose execution ends without an answer. */
async function lostAct(attempt: AttemptDriver) {
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  const abort = new AbortController();
  const running = attempt.act(action, { signal: abort.signal });
  running.catch(() => undefined);
  await gate.reached(1);
  return { action, running, lose: () => abort.abort(new Error('lost')) };
}

test('M2 a number that nobody answered is given up, and gave_up is its answer from then on', async () => {
  const attempt = await begin();

  const first = await giveUp(attempt, 'think', thinkCall(attempt));
  const later = await attempt.think();

  expect(first).toEqual({ answer: { kind: 'gave_up', code: 'TIMEOUT_HEARTBEAT' }, acked: 0 });
  expect(later).toEqual(first);
  expect(world.model.requests().filter((request) => request.attempt === attempt.ref.id)).toEqual([]);
  expect(await eventTypes(world.pool, attempt.ref)).toEqual(['attempt_created', 'gave_up']);
});

test('M2 an answer that stands is returned, and nothing is given up', async () => {
  const attempt = await begin();
  const answered = await attempt.think();
  expect(await giveUp(attempt, 'think', thinkCall(attempt))).toEqual(answered);
  expect(await eventTypes(world.pool, attempt.ref)).not.toContain('gave_up');
});

test('M2 a model call that was lost is charged what was held for it', async () => {
  const attempt = await begin();
  const abort = new AbortController();
  abort.abort(new Error('lost')); // claimed, and lost before the request is sent
  await expect(attempt.think({ signal: abort.signal })).rejects.toThrow('lost');

  await giveUp(attempt, 'think', thinkCall(attempt));

  const [tried] = await modelTries(world.pool, attempt.ref);
  expect(tried).toMatchObject({ outcome: 'lost', usage: tried?.reserved });
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({
    costMicroUsd: tried?.reserved.costMicroUsd,
    reservedTokens: 0,
    reservedCostMicroUsd: 0,
  });
});

test('M2 an action that was lost has an observation, for the model must see how its call went', async () => {
  const attempt = await begin();
  const { action, running, lose } = await lostAct(attempt);
  lose();
  await expect(running).rejects.toThrow('lost');

  await giveUp(attempt, 'act', attempt.actCall(action, attempt.n));

  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code: 'TOOL_LOST' }]);
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'lost' }]);
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal' });
});

test('M2 nothing is given up while an execution is alive; its answer is the answer', async () => {
  const attempt = await begin();
  const { action, running } = await lostAct(attempt);

  const other = attempt.on(await world.worker());
  const given = giveUp(other, 'act', other.actCall(action, other.n));
  gate.open();

  expect((await running).answer).toEqual({ kind: 'observed', ok: true });
  expect(await given).toEqual(await running);
});

test('M4 giving up drops no message: a typed one is in the inbox, and the next call takes it', async () => {
  const attempt = await begin();
  const typed: Message = { id: 'signal/1', kind: 'say', body: { text: 'Still there?' } };

  const given = await giveUp(attempt, 'think', thinkCall(attempt, { messages: [typed], wakes: ['ghost'] }));
  attempt.n = 1;
  const next = await attempt.record({ at: 'flush' }, { messages: [typed] });

  expect(given.named).toEqual([{ id: 'ghost', as: 'unknown' }]);
  expect(next.named).toEqual([{ id: 'signal/1', as: 'taken', kind: 'say' }]);
});

test('M7 giving up lands what rode with the lost call, once', async () => {
  const attempt = await begin();
  const riders = [
    { r: 1, event: { type: 'state_moved', payload: { path: ['CREATED', 'ASSEMBLING_CONTEXT'] } } },
  ] as const;

  expect((await giveUp(attempt, 'think', thinkCall(attempt, { riders }))).acked).toBe(1);
  attempt.n = 1;
  await attempt.record({ at: 'flush' }, { riders });

  expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'state_moved')).toHaveLength(1);
});
