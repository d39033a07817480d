import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, rowsOf, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let gate: Gate;
beforeAll(async () => {
  const wait = tool({
    name: 'wait',
    run: async (_args, { signal }) => {
      await gate.pass(signal);
      return ok('Done.');
    },
  });
  world = await activityWorld({ entries: [{ from: 1, calls: [{ tool: 'wait' }] }] }, [wait]);
});
beforeEach(() => {
  gate = new Gate();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task: 'settle' }));
}

test('R11.3 an attempt that owns nothing alive is cancelled at once, and its end has a checkpoint', async () => {
  const attempt = await begin();
  await attempt.think();
  await insertMessage(world.pool, attempt.ref, { id: 'late', kind: 'say', body: { text: 'Wait!' } });

  expect((await attempt.settle({ wakes: ['late'] })).answer).toEqual({
    kind: 'ended',
    state: 'CANCELLED',
    reason: 'cancelled',
  });

  expect(await rowsOf(world.pool, attempt.ref, 'select body from checkpoints where attempt = $1')).toEqual([
    { body: expect.objectContaining({ at: 'end', state: 'CANCELLED' }) },
  ]);
});

test('R11.2 when a cancel was asked for, which call heard it, and when it had ended all are recorded', async () => {
  const attempt = await begin();
  await attempt.think();
  await insertMessage(world.pool, attempt.ref, {
    id: 'stop',
    kind: 'cancel',
    body: { by: 'ana', reason: 'Wrong one.' },
  });
  const settled = await attempt.settle({ wakes: ['stop'] });
  expect(settled.named).toEqual([{ id: 'stop', as: 'taken', kind: 'cancel' }]);

  const [row] = await rowsOf<{ body: unknown; disposition: string; asked: Date; heard: Date; ended: Date }>(
    world.pool,
    attempt.ref,
    `select inbox.body, disposition, inbox.at as asked, moves.at as heard, ended_at as ended
     from inbox join moves on moves.attempt = inbox.attempt and n = taken_by join attempts on key = inbox.attempt
     where inbox.attempt = $1 and id = 'stop'`,
  );
  if (!row) throw new Error('The cancel is not in the inbox, or no call took it.');
  expect(row).toMatchObject({ body: { by: 'ana', reason: 'Wrong one.' }, disposition: 'taken' });
  expect(row.asked.getTime()).toBeLessThanOrEqual(row.ended.getTime());
  expect(row.asked.getTime()).toBeLessThanOrEqual(row.heard.getTime());
  const types = await eventTypes(world.pool, attempt.ref);
  expect(types.filter((type) => type === 'message_taken' || type === 'ended')).toEqual(['message_taken', 'ended']);
});

test('R11.3 CANCELLED waits for an execution that is alive elsewhere', async () => {
  const attempt = await begin();
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  const elsewhere = attempt.act(action);
  await gate.reached(1);

  const other = attempt.on(await world.worker());
  const settled = other.settle();
  const state = async () =>
    (await rowsOf<{ state: string }>(world.pool, attempt.ref, 'select state from attempts where key = $1'))[0]?.state;
  for (let look = 0; look < 10; look += 1) {
    await attempt.worker.ledger.attempt(attempt.ref);
    expect(await state()).not.toBe('CANCELLED');
  }
  gate.open();

  expect((await elsewhere).answer).toEqual({ kind: 'observed', ok: true });
  expect((await settled).answer).toMatchObject({ kind: 'ended', state: 'CANCELLED' });
  const types = await eventTypes(world.pool, attempt.ref);
  expect(types.indexOf('action_finished')).toBeLessThan(types.indexOf('ended'));
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'ok' }]);
});

test('R11.3 an execution whose worker is gone is not waited for', async () => {
  const attempt = await begin();
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  const abort = new AbortController();
  const dead = attempt.act(action, { signal: abort.signal });
  await gate.reached(1);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);

  // As the workflow does: the number is answered before the attempt is settled.
  await insertMessage(world.pool, attempt.ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  const other = attempt.on(await world.worker());
  expect((await other.actRepeated(action)).answer).toEqual({ kind: 'interrupted' });
  expect((await other.settle()).answer).toMatchObject({ kind: 'ended', state: 'CANCELLED' });

  abort.abort(new Error('process over'));
  // What comes back too late finds the number answered, and takes that answer for its own.
  await expect(dead).resolves.toMatchObject({ answer: { kind: 'interrupted' } });
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'lost' }]);
});

test('M8 a cancel of what has ended changes nothing', async () => {
  const attempt = await begin();
  await attempt.record({ at: 'end', state: 'FAILED', reason: 'failed', candidate: 0 });
  expect((await attempt.settle()).answer).toEqual({ kind: 'ended', state: 'FAILED', reason: 'failed' });
});
