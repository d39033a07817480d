import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { protectedItems } from '../../src/activities/context/protected-items';
import type { ActivityDeps } from '../../src/activities/deps';
import type { Body } from '../../src/activities/ledger-port';
import { recall } from '../../src/activities/recall';
import { type Projection, readProjection } from '../../src/domain/context/projection';
import { type ForkRequest, forkAttempt } from '../../src/ledger/fork-attempt';
import { registerWorker } from '../../src/ledger/leases';
import { createLedger } from '../../src/ledger/ledger';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { checkpointList } from '../../src/ledger/queries/checkpoint-list';
import type { AttemptRef } from '../../src/protocol/ids';
import { claimed, freshOperation } from './contract/effect-rows';
import { action, observation, step } from './contract/rows';
import { freshLedger, started, startRequest } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const kept = new Map<string, string>();
const request = (from: AttemptRef, change: Partial<ForkRequest> = {}): ForkRequest => ({
  from,
  snapshot: { flow: 7, stepsPerRun: 50, searchAttributes: true },
  versions: { holdfast: '9' },
  by: 'ben',
  texts: {
    store: async (text) => ({ text }),
    load: async (body: Body) => ('text' in body ? body.text : (kept.get(body.hash) ?? '')),
  },
  ...change,
});
const limits = { ...startRequest().limits, maxTurns: 9 };
const plan = { steps: [{ id: 'fix', title: 'Fix it', status: 'doing' }] };
const checkpoint = (change: object = {}) => ({
  v: 2,
  at: 'pause',
  thread: 1,
  turn: 1,
  step: 1,
  state: 'WAITING_FOR_USER',
  reason: 'blocked',
  plan,
  unmet: [],
  context: { projection: 0, contract: 1, input: 2 },
  versions: { code: '1', policy: 'p1', environment: null, models: {}, tools: {} },
  effects: { committed: [], more: false, uncertain: [] },
  budget: {
    used: { turns: 3, toolCalls: 2, repairs: 0, tokens: 9, costMicroUsd: 1, runtimeMs: 1 },
    limits: { maxTurns: 30 },
  },
  base: 'b0',
  snapshot: 'c1',
  ...change,
});

let tasks = 0;
/** An attempt whose first call failed, that was told more, raised a limit, read something doubtful, and paused. */
async function paused(body: object = checkpoint(), change: Parameters<typeof started>[1] = {}): Promise<AttemptRef> {
  tasks += 1;
  const ref = await started(pool, { task: `fork-${tasks}`, limits, ...change });
  await createLedger(pool).transact(ref, { n: 1 }, (tx) => {
    const said = { turn: 1, after_step: 1, kind: 'message' } as const;
    tx.insert('steps', step());
    tx.insert('actions', action({ tool: 'run_command' }));
    tx.insert(
      'observations',
      observation({ ok: false, body: { text: 'no such file' }, failure_class: 'tool_business' }),
    );
    tx.insert('inputs', { ...said, ordinal: 2, body: { text: 'The left one.' } });
    tx.insert('inputs', { ...said, ordinal: 3, body: { text: 'A later word.' } });
    tx.insert('checkpoints', { n: 1, body });
    tx.update({ step: 1, tainted: true, limits: { ...limits, maxTurns: 90 }, heard: 3 });
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } });
    tx.answer('record', 'a'.repeat(64), { answer: { kind: 'none' }, acked: 0 });
  });
  return ref;
}
async function forked(from: AttemptRef, change: Partial<ForkRequest> = {}) {
  const outcome = await forkAttempt(pool, request(from, change));
  if (outcome.kind !== 'forked') throw new Error(outcome.detail);
  return outcome;
}
/** A fork that has done nothing yet, and paused. */
async function pauses(ref: AttemptRef): Promise<void> {
  await createLedger(pool).transact(ref, { n: 1 }, (tx) => {
    tx.insert('checkpoints', {
      n: 1,
      body: checkpoint({ step: 0, context: { projection: 1, contract: 1, input: 1 } }),
    });
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } });
    tx.answer('record', 'a'.repeat(64), { answer: { kind: 'none' }, acked: 0 });
  });
}
const projectionOf = async ({ key }: AttemptRef): Promise<{ document: Projection; row: object }> => {
  const { rows } = await pool.query('select body, upto_step, made_by, policy from projections where attempt = $1', [
    key,
  ]);
  const { body, ...row } = rows[0];
  return { row, document: readProjection(JSON.parse(body.text)) };
};

test('R12.3 a fork is the next attempt of its task, beside the other, as that was started and as it stood', async () => {
  const from = await paused();
  const { attempt, checkpoint: named } = await forked(from);
  const { ref } = attempt;

  expect({ id: ref.id, named, state: attempt.state, started: attempt.workflowStarted }).toEqual({
    id: `fork-${tasks}/2`,
    named: `fork-${tasks}/1/c1`,
    state: 'CREATED',
    started: false,
  });
  expect(await createLedger(pool).attempt(ref)).toMatchObject({
    contractVersion: 1,
    limits, // not those that were raised
    account: { turns: 1, tokens: 0 },
    step: 0,
    tainted: true,
    startedBy: 'ben',
    snapshot: null,
    start: { flow: 7, stepsPerRun: 50, searchAttributes: true, models: startRequest().snapshot.models },
    versions: { holdfast: '9' },
    forkedFrom: {
      attempt: from.id,
      n: 1,
      snapshot: 'c1',
      ancestors: [from.key],
      upto: { step: 1, input: 2 },
    },
  });
  const view = await createLedger(pool).view(ref);
  expect(view.taskState).toEqual(plan);
  expect(view.inputs).toMatchObject([{ ordinal: 1, text: 'Please.' }]);
  expect(view.steps).toEqual([]);
  expect(await attemptDetails(pool, ref)).toMatchObject({ forkedFrom: named, startedBy: 'ben' });
});

test('R12.3, R13.2 it knows what the record says up to there, by pointers into that record, and not the conversation', async () => {
  const from = await paused();
  const { ref } = (await forked(from)).attempt;
  const { document, row } = await projectionOf(ref);

  expect(row).toEqual({ upto_step: 0, made_by: 'inherited', policy: 'p1' });
  expect(document.items).toEqual([
    expect.objectContaining({ kind: 'revision', text: 'The left one.', source: `${from.id}/input/2` }),
    expect.objectContaining({ id: `failed/${from.id}/s1.a0`, text: expect.stringContaining('no such file') }),
    expect.objectContaining({ kind: 'pointer', source: `${from.id}/s1-s1` }),
  ]);
  expect(JSON.stringify(document)).not.toContain('A later word.');
});

test('R12.3, R8.6 what was stale for the other is stale for its fork, and it is said how much was taken over', async () => {
  const from = await paused();
  const stale = [{ place: 'outside', target: 'order:1', lookedAt: 1 }] as const;
  const ledger = createLedger(pool);
  const worker = await registerWorker(pool, randomUUID(), { pid: process.pid, pidStarted: 'fork' });
  for (const [at, phase] of (['COMMITTED', 'UNKNOWN'] as const).entries()) {
    const row = await claimed(ledger, from, worker, { ...freshOperation(), step: at + 2, phase: 'SENT' }, at + 2);
    await ledger.transact(from, { n: at + 2 }, (tx) => tx.updateEffect(row, 1, { phase }));
  }
  await worker.end();
  await ledger.transact(from, { n: 4 }, (tx) => tx.update({ staleTargets: stale }));

  const { attempt, took } = await forked(from);
  expect(took).toEqual({ snapshot: 'c1', effects: 2, messages: 1 });
  expect((await ledger.attempt(attempt.ref)).staleTargets).toEqual([{ place: 'outside', target: 'order:1' }]);
  expect((await attemptDetails(pool, attempt.ref)).took).toEqual({ from: from.id, ...took });
  // Also those that came after the checkpoint; one whose outcome nobody knows is a block.
  const { items } = (await projectionOf(attempt.ref)).document;
  expect(items.filter(({ id }) => id.startsWith('effect/')).map(({ id, kind }) => [id, kind])).toEqual([
    [`effect/${from.id}/s2.a0`, 'fact'],
    [`effect/${from.id}/s3.a0`, 'block'],
  ]);
});

test('R12.3 what was found out after the checkpoint is of other files, and is not told', async () => {
  const found = (candidate: number, detail: string) => ({
    ...{ candidate, criterion: 'tests', met: false, snapshot: null },
    body: { detail },
  });
  tasks += 1;
  const from = await started(pool, { task: `fork-${tasks}`, limits });
  const ledger = createLedger(pool);
  await ledger.transact(from, { n: 1 }, (tx) => tx.insert('evidence', found(1, 'EARLIER')));
  await ledger.transact(from, { n: 2 }, (tx) => tx.insert('checkpoints', { n: 2, body: checkpoint() }));
  await ledger.transact(from, { n: 3 }, (tx) => tx.insert('evidence', found(2, 'LATER')));
  const told = JSON.stringify((await projectionOf((await forked(from)).attempt.ref)).document);
  expect(told).toContain('EARLIER');
  expect(told).not.toContain('LATER');
});

test('R12.3 a fork of a fork comes from both, and what the first left is in it once', async () => {
  const from = await paused();
  const { ref: second } = (await forked(from)).attempt;
  await pauses(second);
  const { ref: third } = (await forked(second)).attempt;

  expect((await createLedger(pool).attempt(third)).forkedFrom?.ancestors).toEqual([from.key, second.key]);
  const failures = (await projectionOf(third)).document.items.filter(({ kind }) => kind === 'failed');
  expect(failures.map(({ id }) => id)).toEqual([`failed/${from.id}/s1.a0`]);
});

test('R12.3, R13.3 what had no room in a fork is listed for it, and for the forks that come of it', async () => {
  const from = await paused(checkpoint({ step: 40 }));
  await createLedger(pool).transact(from, { n: 2 }, (tx) => {
    for (let at = 2; at <= 40; at += 1) {
      const text = `No ${at}: ${'x'.repeat(400)}`;
      tx.insert('steps', step({ step: at }));
      tx.insert('actions', action({ step: at, tool: 'run_command' }));
      tx.insert('observations', observation({ step: at, ok: false, body: { text }, failure_class: 'tool_business' }));
    }
    tx.update({ step: 40 });
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } });
    tx.answer('record', 'b'.repeat(64), { answer: { kind: 'none' }, acked: 0 });
  });
  const { ref: second } = (await forked(from)).attempt;
  const list = `${from.id}/failed`;
  const { items, left } = (await projectionOf(second)).document;
  const [failures] = left.filter(({ kind }) => kind === 'failed');
  expect(failures?.pointer).toBe(list);
  expect(items.filter(({ kind }) => kind === 'failed').length + (failures?.count ?? 0)).toBe(40);

  await pauses(second);
  const { ref: third } = (await forked(second)).attempt;
  const deps = { ledger: createLedger(pool), tools: new Map() } as unknown as ActivityDeps;
  // As a compaction of either collects it, and as either is answered.
  for (const ref of [second, third]) {
    const kept = (await protectedItems(deps, await deps.ledger.view(ref), 0)).items;
    expect(kept.map(({ source }) => source)).toContain(list);
    expect(await recall(deps, ref, 'steps')).toContain(`${failures?.count} more of "What failed`);
    const told = await recall(deps, ref, list);
    expect(told?.split('\n')).toHaveLength(40);
    expect(told).toContain(`[${from.id}/s2.a0]`);
  }
});

test('R10.3 what it inherits is kept where long texts are, and is found there by the next fork', async () => {
  const from = await paused();
  const store = async (text: string): Promise<Body> => {
    kept.set('f'.repeat(64), text);
    return { hash: 'f'.repeat(64), bytes: text.length };
  };
  const texts = { ...request(from).texts, store };
  const { ref } = (await forked(from, { texts })).attempt;
  const { rows } = await pool.query('select body from projections where attempt = $1', [ref.key]);
  expect(rows[0].body).toMatchObject({ hash: 'f'.repeat(64) });
  expect((await pool.query('select bytes from artifacts where hash = $1', ['f'.repeat(64)])).rows).toHaveLength(1);

  await pauses(ref);
  const third = (await forked(ref)).attempt.ref;
  expect((await projectionOf(third)).document.items.map(({ id }) => id)).toContain(`failed/${from.id}/s1.a0`);
});

test('R12.1 a checkpoint of the first version can be forked from', async () => {
  const from = await paused({
    v: 1,
    state: 'WAITING_FOR_USER',
    reason: 'blocked',
    turn: 1,
    step: 1,
    heard: 1,
    taskState: null,
    unmet: [],
    account: checkpoint().budget.used,
    limits: {},
    baseCommit: 'b0',
    snapshot: 'c0',
    effects: { committed: 0, uncertain: [] },
    models: ['default'],
    flow: 1,
    versions: {},
  });
  const { ref } = (await forked(from, { at: 1 })).attempt;
  expect((await createLedger(pool).attempt(ref)).forkedFrom).toMatchObject({ snapshot: 'c0' });
});

test.each<[string, object, Partial<ForkRequest>, string, RegExp]>([
  ['no such checkpoint', checkpoint(), { at: 8 }, 'no_checkpoint', /^There is no fork-\d+\/1\/c8\.$/],
  ["a newer Holdfast's", { v: 4 }, {}, 'unreadable', /document version 4; this one reads up to 3/],
  ['no files yet', checkpoint({ snapshot: null }), {}, 'unprepared', /no files yet/],
])('R12.3 %s: nothing is made, and it is said why', async (_what, body, change, why, detail) => {
  const from = await paused(body);
  expect(await forkAttempt(pool, request(from, change))).toEqual({
    kind: 'refused',
    why,
    detail: expect.stringMatching(detail),
  });
  const { rows } = await pool.query('select count(*)::int as attempts from attempts where task = $1', [
    `fork-${tasks}`,
  ]);
  expect(rows).toEqual([{ attempts: 1 }]);
});

test('R12.3 an attempt without a checkpoint, and one that undoes an effect, are not forked', async () => {
  const bare = await started(pool, { task: 'bare' });
  expect(await forkAttempt(pool, request(bare))).toMatchObject({ kind: 'refused', why: 'no_checkpoint' });
  const { snapshot } = startRequest();
  const action = { index: 0, tool: 'undo', hash: 'a', quick: true };
  const undoing = await paused(checkpoint(), {
    snapshot: { ...snapshot, compensation: { action, effect: { key: 'k', generation: 1 } } },
  });
  expect(await forkAttempt(pool, request(undoing))).toMatchObject({ kind: 'refused', why: 'compensation' });
});

test('R12.1 checkpoints are listed as they can be read, each by the name that fork takes', async () => {
  const from = await paused({ v: 4 });
  await createLedger(pool).transact(from, { n: 2 }, (tx) => {
    tx.insert('checkpoints', { n: 2, body: checkpoint() });
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } });
    tx.answer('record', 'b'.repeat(64), { answer: { kind: 'none' }, acked: 0 });
  });
  expect(await checkpointList(pool, from)).toEqual([
    expect.objectContaining({ checkpoint: `${from.id}/c1`, at: null, why: expect.stringContaining('newer Holdfast') }),
    {
      checkpoint: `${from.id}/c2`,
      writtenAt: expect.stringMatching(/^\d{4}-/),
      at: 'pause',
      turn: 1,
      step: 1,
      state: 'WAITING_FOR_USER',
      reason: 'blocked',
      unmet: [],
      elsewhere: null,
      snapshot: 'c1',
    },
  ]);
});
