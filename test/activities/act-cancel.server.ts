import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import type { Message } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, toolTries } from '../support/ledger-rows';
import { ok, type RunContext, tool } from '../support/test-tools';

let world: ActivityWorld;
let gate: Gate;
let keys: string[];
const pass = async (_args: unknown, { idempotencyKey, signal }: RunContext) => {
  keys.push(idempotencyKey);
  await gate.pass(signal);
  return ok(`Done ${keys.length}.`);
};
beforeAll(async () => {
  world = await activityWorld(
    {
      entries: [
        { attempt: 'read', from: 1, calls: [{ tool: 'read' }, { tool: 'read', args: { more: true } }] },
        { from: 1, calls: [{ tool: 'write' }, { tool: 'write', args: { more: true } }] },
      ],
    },
    [tool({ name: 'read', run: pass }), tool({ name: 'write', effect: 'idempotent', run: pass })],
  );
});
beforeEach(() => {
  gate = new Gate();
  keys = [];
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const cancel: Message = { id: 'c', kind: 'cancel', body: { by: 'ana' } };
const taken = [{ id: 'c', as: 'taken', kind: 'cancel' }];

async function begin(task: string) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  const [first, second] = await attempt.actions();
  if (!first || !second) throw new Error('Two actions are needed.');
  return { attempt, first, second };
}
/** An execution that waits in its tool, with what aborts it. */
async function inFlight(attempt: AttemptDriver, action: PlannedAction) {
  const abort = new AbortController();
  const answered = attempt.act(action, { signal: abort.signal });
  answered.catch(() => undefined);
  await gate.reached(1);
  return { answered, abort: () => abort.abort(new Error('aborted')) };
}

test('M5 a read in flight is interrupted by a stored cancel, in the transaction that takes it', async () => {
  const { attempt, first } = await begin('read');
  const running = await inFlight(attempt, first);

  await insertMessage(world.pool, attempt.ref, cancel);
  running.abort();

  await expect(running.answered).resolves.toMatchObject({ answer: { kind: 'interrupted' }, named: taken });
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'interrupted' }]);
  expect(await observations(world.pool, attempt.ref)).toEqual([]);
});

test('M5 a write in flight answers for its effect, and the cancel is left for the call after it', async () => {
  const { attempt, first, second } = await begin('write');
  const running = await inFlight(attempt, first);

  await insertMessage(world.pool, attempt.ref, cancel);
  running.abort();
  gate.open();

  const answered = await running.answered;
  expect(answered).toMatchObject({ answer: { kind: 'observed', ok: true } });
  expect(answered.named).toBeUndefined();
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ text: 'Done 1.' }]);
  expect(await attempt.act(second)).toMatchObject({ answer: { kind: 'interrupted' }, named: taken });
  expect(keys).toHaveLength(1);
});

test('M5 a cancel typed by hand interrupts a read at the repeat of its number', async () => {
  const { attempt, first } = await begin('read');
  const running = await inFlight(attempt, first);
  running.abort();
  await expect(running.answered).rejects.toThrow('aborted');

  expect(await attempt.actRepeated(first, { messages: [cancel] })).toMatchObject({
    answer: { kind: 'interrupted' },
    named: taken,
  });
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'lost' }]);
  expect(keys).toHaveLength(1);
});

test('M5 a cancel leaves a write whose worker fell silent unknown, and its late answer settles it', async () => {
  const { attempt, first } = await begin('write');
  const running = await inFlight(attempt, first);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);

  const repeated = await attempt.on(await world.worker()).actRepeated(first, { messages: [cancel] });
  expect(repeated).toMatchObject({ answer: { kind: 'unknown' } });
  expect(repeated.named).toBeUndefined();
  gate.open();

  expect(await running.answered).toEqual(repeated);
  const { rows } = await world.pool.query('select phase, settled_by, outcome from effects where attempt = $1', [
    attempt.ref.key,
  ]);
  expect(rows).toEqual([{ phase: 'COMMITTED', settled_by: 'late', outcome: 'Done 1.' }]);
  expect(keys).toHaveLength(1);
});

test('M5 an abort without a cancel is no answer; the number is taken over at once and the first try is lost', async () => {
  const { attempt, first } = await begin('read');
  const running = await inFlight(attempt, first);
  running.abort();
  await expect(running.answered).rejects.toThrow('aborted');

  const repeated = attempt.on(await world.worker()).actRepeated(first);
  await gate.reached(2);
  gate.open();

  expect((await repeated).answer).toEqual({ kind: 'observed', ok: true });
  expect(new Set(keys).size).toBe(1);
  expect((await toolTries(world.pool, attempt.ref)).map(({ execution, outcome }) => [execution, outcome])).toEqual([
    [1, 'lost'],
    [2, 'ok'],
  ]);
  expect(await eventTypes(world.pool, attempt.ref)).toContain('execution_lost');
});

test('M9 a write whose worker fell silent is run again with its key, and its late result is not taken', async () => {
  const { attempt, first } = await begin('write');
  const running = await inFlight(attempt, first);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);

  const other = attempt.on(await world.worker());
  const repeated = other.actRepeated(first);
  await gate.reached(2);
  gate.open();
  const [mine, late] = await Promise.all([repeated, running.answered.catch((error: Error) => error)]);

  expect(mine.answer).toEqual({ kind: 'observed', ok: true });
  if (late instanceof Error) expect(late.name).toBe('ExecutionLostError');
  else expect(late).toEqual(mine);
  expect(new Set(keys)).toEqual(new Set([`default/${attempt.ref.id}/s1.a0/g1`]));
  expect(await observations(world.pool, attempt.ref)).toHaveLength(1);
});

test('M9 a repeated call that joined the running one can stop it', async () => {
  const { attempt, first } = await begin('read');
  const running = await inFlight(attempt, first);
  const abort = new AbortController();
  const joined = attempt.actRepeated(first, { signal: abort.signal });

  await insertMessage(world.pool, attempt.ref, cancel);
  abort.abort(new Error('cancelled'));

  await expect(joined).resolves.toMatchObject({ answer: { kind: 'interrupted' } });
  await expect(running.answered).resolves.toEqual(await joined);
});
