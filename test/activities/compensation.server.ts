import { defaultLimits } from '../../src/domain/budget/account';
import { insertMessage } from '../../src/ledger/inbox';
import { startCompensation } from '../../src/ledger/start-compensation';
import { actionId } from '../../src/protocol/ids';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { agePast, effectRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { ok, tool } from '../support/test-tools';

const longPastMs = 60_000;
let lost: boolean;
let world: ActivityWorld;
beforeAll(async () => {
  const reverse = tool({
    name: 'reverse',
    effect: 'unsafe',
    run() {
      if (lost) throw new Error('connection lost');
      return ok('Reversed.');
    },
  });
  const refund = tool({ name: 'refund', effect: 'deduplicated', run: () => ok('Refunded.') });
  world = await activityWorld({ entries: [{ from: 1, calls: [{ tool: 'refund' }] }] }, [refund, reverse]);
});
beforeEach(() => {
  lost = true;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An effect that is committed, its attempt cancelled, and the attempt that undoes it. */
async function compensating() {
  const worker = await world.worker();
  const done = new AttemptDriver(worker, await world.attempt({ task: 'refunds' }));
  await done.stepWithOneAction();
  await done.settle();
  const [effect] = await effectRows(world.pool, done.ref);
  if (!effect) throw new Error('There is no effect to undo.');
  const started = await startCompensation(world.pool, {
    tenant: 'default',
    effect,
    tool: { name: 'reverse', effect: 'unsafe', quick: false, timeoutMs: 10_000 },
    args: {},
    limits: defaultLimits,
    snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
    versions: {},
    by: 'ana',
  });
  if (started.kind !== 'created') throw new Error(`It was ${started.kind}.`);
  const { ref } = started.attempt;
  const action = (await worker.ledger.attempt(ref)).start.compensation?.action;
  if (!action) throw new Error('The compensation has no action.');
  return { done, attempt: Object.assign(new AttemptDriver(worker, ref), { step: 1 }), action };
}
const end = { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 } as const;

test('E9 a compensation that took effect makes the effect compensated, also after its attempt ended', async () => {
  const { done, attempt, action } = await compensating();
  lost = false;
  expect((await attempt.act(action)).answer).toEqual({ kind: 'observed', ok: true });
  expect((await attempt.record(end)).answer).toMatchObject({ kind: 'ended', state: 'COMPLETED' });
  expect(await effectRows(world.pool, done.ref)).toMatchObject([{ phase: 'COMPENSATED' }]);
});

test.each([
  ['committed', 'COMPENSATED', true],
  ['not_committed', 'COMPENSATION_FAILED', false],
] as const)('E9 a compensation that a person finds %s leaves the effect %s', async (outcome, phase, isOk) => {
  const { done, attempt, action } = await compensating();
  expect((await attempt.act(action)).answer).toEqual({ kind: 'unknown' });
  await agePast(world.pool, attempt.ref, longPastMs);
  const body = { actionId: actionId(attempt.ref.id, 1, 0), outcome, by: 'ana', evidence: 'Looked.' };
  await insertMessage(world.pool, attempt.ref, { id: 'word', kind: 'reconcile', body });
  const waited = await attempt.record({ at: 'wait', state: 'RECONCILING', step: 1, index: 0 });
  expect(waited).toMatchObject({ answer: { kind: 'go' }, named: [{ as: 'taken' }] });

  expect(await effectRows(world.pool, done.ref)).toMatchObject([{ phase }]);
  expect(await payloads(world.pool, attempt.ref, 'compensated')).toMatchObject([{ ok: isOk }]);
  expect((await attempt.act(action)).answer).toEqual({ kind: 'observed', ok: isOk });
});

test('E9 a word to a compensation that failed changes no end: it asks no model', async () => {
  const { attempt } = await compensating();
  await insertMessage(world.pool, attempt.ref, { id: 'word', kind: 'say', body: { text: 'Again!' } });
  await attempt.record({ at: 'flush' });
  const failed = { at: 'end', state: 'FAILED', reason: 'failed', candidate: 0 } as const;
  expect((await attempt.record(failed)).answer).toEqual({ kind: 'ended', state: 'FAILED', reason: 'failed' });
});
