import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { protectedItems } from '../../src/activities/context/protected-items';
import type { ActivityDeps } from '../../src/activities/deps';
import type { Body } from '../../src/activities/ledger-port';
import { recall } from '../../src/activities/recall';
import { tellModel } from '../../src/activities/tell-model';
import type { Contract } from '../../src/domain/contract/contract';
import { feedbackText } from '../../src/domain/contract/feedback';
import { forkAttempt } from '../../src/ledger/fork-attempt';
import { registerWorker } from '../../src/ledger/leases';
import { createLedger } from '../../src/ledger/ledger';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { type StartRequest, startAttempt } from '../../src/ledger/start-attempt';
import type { AttemptRef } from '../../src/protocol/ids';
import { claimed, freshOperation, request } from './contract/effect-rows';
import { action, observation, step } from './contract/rows';
import { contract, end, freshLedger, startRequest } from './support/ledger';

/** R1.1: what a task's next attempt knows of the ones before it. */

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const texts = {
  store: async (text: string): Promise<Body> => ({ text }),
  load: async (body: Body) => ('text' in body ? body.text : ''),
};
let tasks = 0;
const freshTask = () => `heirs-${++tasks}`;
const start = (task: string, change: Partial<StartRequest> = {}) =>
  startAttempt(pool, startRequest({ task, texts, ...change }));

/** An attempt that was told more, failed at a call, did something outside, read something doubtful, and failed. */
async function failed(task: string, change: Partial<StartRequest> = {}): Promise<AttemptRef> {
  const { ref } = (await start(task, change)).attempt;
  const ledger = createLedger(pool);
  await ledger.transact(ref, { n: 1 }, (tx) => {
    tx.insert('steps', step());
    tx.insert('actions', action({ tool: 'run_command' }));
    const seen = { ok: false, body: { text: `no such file in ${ref.id}` }, failure_class: 'tool_business' } as const;
    tx.insert('observations', observation(seen));
    const said = { ordinal: tx.lastInput + 1, turn: 1, after_step: 1, kind: 'message' } as const;
    tx.insert('inputs', { ...said, body: { text: 'The left one.' } });
    tx.update({ step: 1, tainted: true, staleTargets: [{ place: 'outside', target: 'order:1' }] });
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } });
  });
  const worker = await registerWorker(pool, randomUUID(), { pid: process.pid, pidStarted: 'heirs' });
  const row = await claimed(ledger, ref, worker, { ...freshOperation(), phase: 'SENT' }, 2);
  await ledger.transact(ref, { n: 2 }, (tx) => tx.updateEffect(row, 1, { phase: 'COMMITTED', committed: true }));
  await worker.end();
  await end(pool, ref, 'FAILED', 'failed');
  return ref;
}
const deps = (): ActivityDeps => ({ ledger: createLedger(pool), tools: new Map() }) as unknown as ActivityDeps;
const itemsOf = async (ref: AttemptRef) => (await protectedItems(deps(), await deps().ledger.view(ref), 0)).items;

test('R1.1, R13.2 the next start of a task that failed knows the record of the one before, and nothing of its conversation', async () => {
  const task = freshTask();
  const first = await failed(task);
  const outcome = await start(task, { input: 'Once more.' });
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  const { ref } = outcome.attempt;
  expect(outcome.took).toEqual({ from: first.id, snapshot: null, effects: 1, messages: 2 });
  expect((await attemptDetails(pool, ref)).took).toEqual(outcome.took);

  const ledger = createLedger(pool);
  expect(await ledger.attempt(ref)).toMatchObject({
    tainted: true,
    staleTargets: [{ place: 'outside', target: 'order:1' }],
    forkedFrom: null,
  });
  const view = await ledger.view(ref);
  expect(view.inputs.map(({ text }) => text)).toEqual(['Once more.']);
  expect(view.steps).toEqual([]);
  const items = await itemsOf(ref);
  expect(items.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      `revision/input/${first.id}/1`,
      `revision/input/${first.id}/2`,
      `effect/${first.id}/s1.a0`,
      `failed/${first.id}/s1.a0`,
    ]),
  );
  expect(await recall(deps(), ref, `${first.id}/s1.a0`)).toContain('no such file');
  const { rows } = await pool.query(`select payload from events where attempt = $1 and sequence = 1`, [ref.key]);
  expect(rows[0].payload).toMatchObject({ inherits: first.id });
});

test('R1.1 down a row of attempts each knows all before it, once; the same first message is not told again', async () => {
  const task = freshTask();
  const first = await failed(task);
  const second = await failed(task);
  const { ref: third } = (await start(task)).attempt;
  const items = await itemsOf(third);
  expect(items.filter(({ kind }) => kind === 'failed').map(({ id }) => id)).toEqual([
    `failed/${first.id}/s1.a0`,
    `failed/${second.id}/s1.a0`,
  ]);
  expect(items.filter(({ kind }) => kind === 'revision').map(({ text }) => text)).toEqual([
    'The left one.',
    'The left one.',
  ]);
  expect(await recall(deps(), third, `${first.id}/s1.a0`)).toContain(`no such file in ${first.id}`);
});

test('R1.1 what was COMPLETED is begun afresh, and an attempt before that has done nothing leaves nothing', async () => {
  const task = freshTask();
  await end(pool, await failed(task), 'COMPLETED', 'success');
  const again = await start(task, { again: true });
  if (again.kind !== 'created') throw new Error(again.kind);
  expect(again.took).toBeUndefined();
  expect(await itemsOf(again.attempt.ref)).not.toContainEqual(expect.objectContaining({ kind: 'failed' }));
  expect(await createLedger(pool).attempt(again.attempt.ref)).toMatchObject({ tainted: false, staleTargets: [] });
  const beside = await start(task, { beside: true });
  if (beside.kind !== 'created') throw new Error(beside.kind);
  expect(beside.took).toBeUndefined();
});

test('R3.4 what a check without feedback found reaches no view: no projection, no recall, no fork and no later start', async () => {
  const final = { id: 'final', check: 'command', run: 'npm run final' } as const;
  const told = async (of: Contract) => {
    const task = freshTask();
    const { ref } = (await start(task, { contract: of })).attempt;
    const ledger = createLedger(pool);
    const body = { detail: 'MARKER' };
    await ledger.transact(ref, { n: 1 }, (tx) => {
      tx.insert('evidence', { candidate: 1, criterion: 'final', met: false, snapshot: null, body });
      tx.insert('checkpoints', {
        n: 1,
        body: { ...checkpoint },
      });
    });
    const fork = await forkAttempt(pool, {
      ...{ from: ref, texts, versions: {} },
      snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
    });
    if (fork.kind !== 'forked') throw new Error(fork.detail);
    await end(pool, ref, 'FAILED', 'failed');
    await end(pool, fork.attempt.ref, 'FAILED', 'failed');
    const { ref: next } = (await start(task, { contract: of, input: 'Again.' })).attempt;
    const ways = [
      await itemsOf(ref),
      await recall(deps(), ref, 'facts'),
      await recall(deps(), ref, 'fact/final'),
      await itemsOf(fork.attempt.ref),
      await itemsOf(next),
    ];
    return ways.map((way) => JSON.stringify(way ?? '').includes('MARKER'));
  };
  const acceptance = [...contract.acceptance, final];
  expect(await told({ ...contract, acceptance })).toEqual([true, true, true, true, true]);
  const silent = [...contract.acceptance, { ...final, repair: false }];
  expect(await told({ ...contract, acceptance: silent })).toEqual([false, false, false, false, false]);
});

test('R3.4 a start under a contract that lets nothing of a check come back is not told what an earlier attempt found', async () => {
  const task = freshTask();
  const { ref } = (await start(task)).attempt;
  await createLedger(pool).transact(ref, { n: 1 }, (tx) =>
    tx.insert('evidence', { candidate: 1, criterion: 'tests', met: false, snapshot: null, body: { detail: 'MARKER' } }),
  );
  await end(pool, ref, 'FAILED', 'failed');
  const acceptance = contract.acceptance.map((criterion) => ({ ...criterion, repair: false }));
  const { ref: next } = (await start(task, { contract: { ...contract, acceptance } })).attempt;
  const { rows } = await pool.query('select body from projections where attempt = $1', [next.key]);
  expect(JSON.stringify(rows)).not.toContain('MARKER');
});

test('R3.4 R13.3 recall of an earlier attempt gives nothing of what either contract lets nothing come back of', async () => {
  const human = { id: 'wanted', check: 'human', question: 'Is this what was wanted?' } as const;
  const open = { ...contract, acceptance: [...contract.acceptance, human] };
  const silent = { ...open, acceptance: open.acceptance.map((one) => ({ ...one, repair: false })) };
  const told = async (earlier: Contract, later: Contract) => {
    const task = freshTask();
    const { ref } = (await start(task, { contract: earlier })).attempt;
    await createLedger(pool).transact(ref, { n: 1 }, async (tx) => {
      tx.insert('steps', step());
      tx.insert('actions', action({ tool: 'finish' }));
      tx.update({ step: 1 });
      const found = { candidate: 1, met: false, snapshot: null, body: { detail: 'MARKER' } };
      for (const criterion of ['tests', 'wanted']) tx.insert('evidence', { ...found, criterion });
      const asked = { ...request(), tool: 'finish', target: human.question };
      tx.insertApproval(asked);
      tx.insertApprovalAnswer(asked, {
        by: 'ana',
        answer: 'deny',
        channel: 'asserted',
        reason: 'MARKER',
        messageId: 'm',
      });
      tx.closeApproval(asked, 'denied');
      if (earlier === open) tellModel(tx, feedbackText(earlier.acceptance, [finding], { repairs: 1, maxRepairs: 3 }));
    });
    await end(pool, ref, 'FAILED', 'failed');
    const { ref: next } = (await start(task, { contract: later, input: 'Again.' })).attempt;
    const pointers = ['facts', 'decisions', 'input/2'];
    const recalled = await Promise.all(pointers.map((pointer) => recall(deps(), next, `${ref.id}/${pointer}`)));
    const { rows } = await pool.query('select body from projections where attempt = $1', [next.key]);
    return [...recalled, await recall(deps(), next, 'fact/wanted'), rows].map((way) =>
      JSON.stringify(way ?? '').includes('MARKER'),
    );
  };
  expect(await told(open, open)).toEqual([true, true, true, true, true]);
  expect(await told(open, silent)).toEqual([false, false, false, false, false]);
  expect(await told(silent, open)).toEqual([false, false, false, false, false]);
});

const finding = { criterion: 'tests', met: false, detail: 'MARKER' };
const checkpoint = {
  v: 2,
  at: 'pause',
  thread: 1,
  turn: 1,
  step: 1,
  state: 'WAITING_FOR_USER',
  reason: 'blocked',
  plan: null,
  unmet: [],
  context: { projection: 0, contract: 1, input: 1 },
  versions: { code: '1', policy: 'p1', environment: null, models: {}, tools: {} },
  effects: { committed: [], more: false, uncertain: [] },
  budget: { used: { turns: 1, toolCalls: 0, repairs: 0, tokens: 0, costMicroUsd: 0, runtimeMs: 0 }, limits: {} },
  base: 'b0',
  snapshot: 'c1',
};
