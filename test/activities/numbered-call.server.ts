import { createRecord } from '../../src/activities/record';
import { createThink } from '../../src/activities/think';
import { insertMessage } from '../../src/ledger/inbox';
import type { AttemptRef } from '../../src/protocol/ids';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { until } from '../support/gate';
import { accountOf, modelTries } from '../support/ledger-rows';

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({
    steps: { 1: { text: 'Good day.' }, 2: { text: 'Slow.', delayMs: 1_500 }, 3: { text: 'Slower.', delayMs: 6_000 } },
  });
});
afterAll(() => world.close());

const thinkArgs = (step: number) => ({ step, turn: 1, model: 0, try: 1 });
const requestsOf = (ref: AttemptRef) => world.model.requests().filter((request) => request.attempt === ref.id).length;
/** Resolves once this execution has opened its try: what is done to it before finds nothing to be done to. */
const opened = (ref: AttemptRef, execution: number) =>
  until(
    async () => (await modelTries(world.pool, ref)).some((tried) => tried.execution === execution),
    `execution ${execution} is under way`,
  );
const count = async (table: string, ref: AttemptRef) =>
  (await world.pool.query<{ n: number }>(`select count(*)::int as n from ${table} where attempt = $1`, [ref.key]))
    .rows[0]?.n;

test('M1 a repeated number returns the recorded answer, and the model is not asked again', async () => {
  const ref = await world.attempt();
  const think = createThink(await world.worker());
  const first = await think(callOf<'think'>(ref, 1, thinkArgs(1)), never);
  const again = await createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(1), { activeMs: 99 }), never);

  expect(first.answer).toEqual({ kind: 'proposal', stop: { kind: 'text' }, actions: [] });
  expect(again).toEqual(first);
  expect(requestsOf(ref)).toBe(1);
  expect(await count('model_tries', ref)).toBe(1);
});

test('M1 the same number with another kind or other arguments fails loudly and changes nothing', async () => {
  const ref = await world.attempt();
  const worker = await world.worker();
  await createThink(worker)(callOf<'think'>(ref, 1, thinkArgs(1)), never);
  const events = await count('events', ref);

  await expect(createThink(worker)(callOf<'think'>(ref, 1, thinkArgs(2)), never)).rejects.toThrow(
    /Move 1 of .* was think/,
  );
  await expect(createRecord(worker)(callOf<'record'>(ref, 1, { at: 'flush' }), never)).rejects.toThrow(
    /Move 1 of .* was think/,
  );
  expect(await count('events', ref)).toBe(events);
});

test('M9 in one process a repeated call joins the running execution', async () => {
  const ref = await world.attempt();
  const think = createThink(await world.worker());
  const [one, two] = await Promise.all([
    think(callOf<'think'>(ref, 1, thinkArgs(2)), never),
    think(callOf<'think'>(ref, 1, thinkArgs(2)), never),
  ]);
  expect(two).toEqual(one);
  expect(requestsOf(ref)).toBe(1);
});

test('M9 elsewhere a repeated call waits for the answer while execution and lease live', async () => {
  const ref = await world.attempt();
  const running = createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(2)), never);
  await opened(ref, 1);
  const waited = await createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(2)), never);
  expect(waited).toEqual(await running);
  expect(requestsOf(ref)).toBe(1);
});

test('M9 a call takes over at once from an execution that ended, and the lost try is charged its reservation', async () => {
  const ref = await world.attempt();
  const abort = new AbortController();
  const lost = createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(3)), abort.signal);
  await opened(ref, 1);
  abort.abort(new Error('shutdown'));
  await expect(lost).rejects.toThrow();

  const abort2 = new AbortController();
  const second = createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(3)), abort2.signal);
  await opened(ref, 2);
  const { rows } = await world.pool.query(
    'select execution, outcome, usage = reserved as charged from model_tries where attempt = $1 order by execution',
    [ref.key],
  );
  expect(rows).toEqual([
    { execution: 1, outcome: 'lost', charged: true },
    { execution: 2, outcome: null, charged: null },
  ]);
  // The lost request may have been billed: the account has paid for it, and holds as much for the open one.
  const [triedOnce] = await modelTries(world.pool, ref);
  if (!triedOnce) throw new Error('No try.');
  const { inputTokens, outputTokens, costMicroUsd } = triedOnce.reserved;
  const tokens = inputTokens + outputTokens;
  expect(costMicroUsd).toBeGreaterThan(0);
  expect(await accountOf(world.pool, ref)).toMatchObject({
    tokens,
    costMicroUsd,
    reservedTokens: tokens,
    reservedCostMicroUsd: costMicroUsd,
  });
  abort2.abort(new Error('enough'));
  await expect(second).rejects.toThrow();
});

test('M9 a worker whose lease ran out is not waited for, and its late answer is not taken', async () => {
  const ref = await world.attempt();
  const old = await world.worker();
  const slow = createThink(old)(callOf<'think'>(ref, 1, thinkArgs(2)), never);
  await opened(ref, 1);
  await world.pool.query("update workers set renewed_at = clock_timestamp() - interval '4 s' where id = $1", [
    old.leaseId,
  ]);

  const taken = await createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(2)), never);
  // The loser returns the recorded answer, or is told that it lost: never an answer of its own.
  const late = await slow.catch((error: Error) => error);
  if (late instanceof Error) expect(late.name).toBe('ExecutionLostError');
  else expect(late).toEqual(taken);
  expect(await count('steps', ref)).toBe(1);
  expect(await count('moves', ref)).toBe(1);
  // Whose answer it is shows here: the successor's own try answered, and the old one's stayed lost.
  expect((await modelTries(world.pool, ref)).map(({ execution, outcome }) => [execution, outcome])).toEqual([
    [1, 'lost'],
    [2, 'answered'],
  ]);
  expect(await old.renew()).toBe(false);
});

test('M4 a message is taken once, by the next call, and named in its answer', async () => {
  const ref = await world.attempt();
  const worker = await world.worker();
  await insertMessage(world.pool, ref, { id: 'a', kind: 'say', body: { text: 'And loudly, please.' } });
  await expect(insertMessage(world.pool, ref, { id: 'a', kind: 'say', body: { text: 'again' } })).resolves.toEqual({
    kind: 'duplicate',
  });

  const first = await createThink(worker)(callOf<'think'>(ref, 1, thinkArgs(1), { wakes: ['a', 'ghost'] }), never);
  expect(first.named).toEqual([
    { id: 'a', as: 'taken', kind: 'say' },
    { id: 'ghost', as: 'unknown' },
  ]);
  const second = await createRecord(worker)(
    callOf<'record'>(ref, 2, { at: 'pause', state: 'WAITING_FOR_USER', reason: 'turn_stopped' }),
    never,
  );
  expect(second).toMatchObject({ answer: { kind: 'none' } });
  expect(second.named).toBeUndefined();
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('And loudly, please.');
});

test('M5 a think that finds a cancel in the inbox answers it and asks no model', async () => {
  const ref = await world.attempt();
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  const answered = await createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(1)), never);
  expect(answered.answer).toEqual({ kind: 'interrupted' });
  expect(answered.named).toEqual([{ id: 'c', as: 'taken', kind: 'cancel' }]);
  expect(requestsOf(ref)).toBe(0);
});

test('M5 an abort without a cancel in the inbox gives no answer; with one it is answered `interrupted`', async () => {
  const ref = await world.attempt();
  const abort = new AbortController();
  const call = createThink(await world.worker())(callOf<'think'>(ref, 1, thinkArgs(3)), abort.signal);
  await until(() => requestsOf(ref) === 1, 'the model is asked');
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  abort.abort(new Error('cancelled'));
  await expect(call).resolves.toMatchObject({ answer: { kind: 'interrupted' }, named: [{ id: 'c', as: 'taken' }] });
  // The model sees its connection end, which nobody waits for.
  const request = world.model.requests().find(({ attempt }) => attempt === ref.id);
  await until(() => request?.aborted === true, 'the request is broken off');
});

test('M7 riders land once, in order, before the events of the call that brought them', async () => {
  const ref = await world.attempt();
  const worker = await world.worker();
  const riders = [
    { r: 1, event: { type: 'state_moved' as const, payload: { path: ['CREATED', 'ASSEMBLING_CONTEXT'] as const } } },
    {
      r: 2,
      event: { type: 'state_moved' as const, payload: { path: ['ASSEMBLING_CONTEXT', 'WAITING_FOR_MODEL'] as const } },
    },
  ];
  const first = await createThink(worker)(callOf<'think'>(ref, 1, thinkArgs(1), { riders }), never);
  const third = {
    r: 3,
    event: { type: 'state_moved' as const, payload: { path: ['WAITING_FOR_MODEL', 'DECIDING'] as const } },
  };
  const second = await createRecord(worker)(
    callOf<'record'>(ref, 2, { at: 'flush' }, { riders: [...riders, third] }),
    never,
  );

  expect([first.acked, second.acked]).toEqual([2, 3]);
  const { rows } = await world.pool.query(
    'select sequence, move, k, type from events where attempt = $1 order by sequence',
    [ref.key],
  );
  expect(rows.map((row) => row.type)).toEqual([
    'attempt_created',
    'state_moved',
    'state_moved',
    'model_answered',
    'state_moved',
  ]);
  expect(rows.map((row) => row.sequence)).toEqual([1, 2, 3, 4, 5]);
});

test('M8 the end is decided once; a message that comes too late is rejected and its sender told', async () => {
  const ref = await world.attempt();
  const worker = await world.worker();
  await createThink(worker)(callOf<'think'>(ref, 1, thinkArgs(1)), never);
  await insertMessage(world.pool, ref, { id: 'late', kind: 'cancel', body: { by: 'ana' } });
  const ended = await createRecord(worker)(
    callOf<'record'>(ref, 2, { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 }, { wakes: ['late'] }),
    never,
  );
  expect(ended).toMatchObject({
    answer: { kind: 'ended', state: 'COMPLETED', reason: 'success' },
    named: [{ id: 'late', as: 'rejected' }],
  });

  const other = await createRecord(worker)(
    callOf<'record'>(ref, 3, { at: 'end', state: 'FAILED', reason: 'failed', candidate: 1 }),
    never,
  );
  expect(other.answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
  await expect(
    insertMessage(world.pool, ref, { id: 'later', kind: 'cancel', body: { by: 'ana' } }),
  ).resolves.toMatchObject({ kind: 'ended' });
});

test('R3.5 an attempt whose contract is not met cannot be recorded as completed', async () => {
  const ref = await world.attempt({
    contract: { kind: 'code_change', acceptance: [{ id: 'tests', check: 'command', run: 'true' }] },
  });
  const call = callOf<'record'>(ref, 1, { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 });
  await expect(createRecord(await world.worker())(call, never)).rejects.toThrow(/does not meet the contract/);
});

test('R12.5 history is append-only: the application may not change or delete it', async () => {
  const ref = await world.attempt();
  for (const table of [
    'moves',
    'events',
    'steps',
    'actions',
    'observations',
    'inputs',
    'evidence',
    'checkpoints',
    'contracts',
    'turns',
  ]) {
    await expect(world.pool.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  }
  await expect(world.pool.query("update events set type = 'x' where attempt = $1", [ref.key])).rejects.toThrow(
    /permission denied/,
  );
});
