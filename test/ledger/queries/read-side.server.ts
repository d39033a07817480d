import type { Pool } from 'pg';
import type { AttemptTx } from '../../../src/activities/ledger-port';
import { insertMessage } from '../../../src/ledger/inbox';
import { createLedger } from '../../../src/ledger/ledger';
import { attemptDetails } from '../../../src/ledger/queries/attempt-details';
import { listAttempts } from '../../../src/ledger/queries/attempt-list';
import { attemptStatus } from '../../../src/ledger/queries/attempt-status';
import { eventPage } from '../../../src/ledger/queries/event-page';
import { findAttempt } from '../../../src/ledger/queries/find-attempt';
import { messageWords } from '../../../src/ledger/queries/message-words';
import { stepDetails } from '../../../src/ledger/queries/step-details';
import type { AttemptRef } from '../../../src/protocol/ids';
import { troubleWords } from '../../../src/requests/words/trouble-words';
import { action, toolTry } from '../contract/rows';
import { freshLedger, started } from '../support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

/** Writes as a call does: in the transaction of its move, by the ledger that the activities use. */
const inMove = (ref: AttemptRef, n: number, work: (tx: AttemptTx) => void) =>
  createLedger(pool).transact(ref, { n }, (tx) => work(tx));
const pause = (ref: AttemptRef, n: number) =>
  inMove(ref, n, (tx) => {
    tx.emit({ type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'waiting_for_user' } });
    tx.update({ state: 'WAITING_FOR_USER', reason: 'waiting_for_user' });
  });
const take = (ref: AttemptRef, n: number) =>
  inMove(ref, n, (tx) => {
    for (const { id } of tx.messages) tx.dispose(id, 'taken');
  });

describe('attempts by name', () => {
  test('an id, a prefix that no other has, and @last', async () => {
    const first = await started(pool, { tenant: 'names', task: 'repair' });
    const second = await started(pool, { tenant: 'names', task: 'repair', beside: true });
    const other = await started(pool, { tenant: 'names', task: 'write' });

    expect(await findAttempt(pool, 'names', 'repair/1')).toEqual({ kind: 'found', ref: first });
    expect(await findAttempt(pool, 'names', 'w')).toEqual({ kind: 'found', ref: other });
    expect(await findAttempt(pool, 'names', '@last')).toEqual({ kind: 'found', ref: other });
    expect(await findAttempt(pool, 'names', 'repair')).toEqual({ kind: 'ambiguous', ids: [second.id, first.id] });
    expect(await findAttempt(pool, 'names', 'x')).toEqual({ kind: 'none' });
  });

  test('an id that is the beginning of another is itself', async () => {
    for (let made = 0; made < 10; made += 1) await started(pool, { tenant: 'ten', beside: true });
    expect(await findAttempt(pool, 'ten', 'repair/1')).toMatchObject({ kind: 'found', ref: { id: 'repair/1' } });
  });

  test('R12.5 what another tenant has is not found, and signs of patterns are plain text', async () => {
    await started(pool, { tenant: 'mine', task: 'secret' });
    expect(await findAttempt(pool, 'theirs', 'secret/1')).toEqual({ kind: 'none' });
    expect(await findAttempt(pool, 'theirs', '@last')).toEqual({ kind: 'none' });
    expect(await findAttempt(pool, 'mine', '%')).toEqual({ kind: 'none' });
    expect(await findAttempt(pool, 'mine', 's_cret')).toEqual({ kind: 'none' });
  });
});

test('a list has those that run first, then the newest, of one tenant', async () => {
  const names = ['a', 'b', 'c'];
  for (const task of names) await started(pool, { tenant: 'list', task });
  const ended = await findAttempt(pool, 'list', 'c/1');
  if (ended.kind !== 'found') throw new Error('c/1 was just started');
  await inMove(ended.ref, 1, (tx) => tx.update({ state: 'FAILED', reason: 'failed', ended: true }));
  const idsOf = async (open: boolean, limit = 50) =>
    (await listAttempts(pool, 'list', { open, limit })).attempts.map(({ attemptId }) => attemptId);

  expect(await idsOf(false)).toEqual(['b/1', 'a/1', 'c/1']);
  expect(await idsOf(true)).toEqual(['b/1', 'a/1']);
  expect(await idsOf(false, 1)).toEqual(['b/1']);
  expect((await listAttempts(pool, 'list', { limit: 50 })).attempts[2]).toMatchObject({
    kind: 'code_change',
    state: 'FAILED',
    reason: 'failed',
    costMicroUsd: 0,
    endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

describe('events', () => {
  test('R10.1 an event has every field of the wire form, with ids by position', async () => {
    const ref = await started(pool, { task: 'wire' });
    await inMove(ref, 7, (tx) => {
      tx.update({ step: 3 });
      tx.emit({ type: 'action_started', payload: { index: 0, tool: 'read_file', try: 1 } }, 'operator');
    });
    const { thread } = (await pool.query('select thread from attempts where key = $1', [ref.key])).rows[0];

    expect(await eventPage(pool, ref, 1, 10)).toEqual([
      {
        event_id: 'wire/1/m7.0',
        thread_id: `default/${thread}`,
        attempt_id: 'wire/1',
        turn_id: 'wire/1/t1',
        step_id: 'wire/1/s3',
        sequence: 2,
        event_type: 'action_started',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        payload: { index: 0, tool: 'read_file', try: 1 },
        causation_id: 'wire/1/m7',
        correlation_id: 'attempt/default/wire/1',
        schema_version: 1,
        visibility_class: 'operator',
        durability: 'persisted',
      },
    ]);
    expect((await eventPage(pool, ref, 0, 1))[0]).toMatchObject({
      event_id: 'wire/1/m0.0',
      step_id: null,
      causation_id: null,
    });
  });

  test('R10.1 the version that an event was written under is in its row, and a newer one is refused', async () => {
    const ref = await started(pool, { task: 'versions' });
    await inMove(ref, 1, (tx) => tx.emit({ type: 'action_started', payload: { index: 0, tool: 't', try: 1 } }));
    const { rows } = await pool.query('select version from events where attempt = $1', [ref.key]);
    expect(rows).toEqual([{ version: 1 }, { version: 1 }]);

    await pool.query(
      `insert into events (attempt, sequence, move, k, version, type, turn, step, visibility, payload)
       values ($1, 3, 2, 0, 9, 'of_tomorrow', 1, 1, 'user', '{}')`,
      [ref.key],
    );
    expect(await eventPage(pool, ref, 0, 2)).toHaveLength(2);
    await expect(eventPage(pool, ref, 0, 3)).rejects.toThrow(/newer Holdfast.*version 9/);
  });

  test('R10.2 pages from any cursor, of any size, give every event after it once and in order', async () => {
    const ref = await started(pool, { task: 'pages' });
    for (let n = 1; n <= 9; n += 1) {
      await inMove(ref, n, (tx) => tx.emit({ type: 'action_started', payload: { index: n, tool: 't', try: 1 } }));
    }
    for (const size of [1, 3, 100]) {
      const seen: number[] = [];
      for (let cursor = 0; ; cursor = seen.at(-1) ?? cursor) {
        const page = await eventPage(pool, ref, cursor, size);
        if (page.length === 0) break;
        seen.push(...page.map(({ sequence }) => sequence));
      }
      expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    }
    expect(await eventPage(pool, ref, 10, 5)).toEqual([]);
  });
});

describe('whether somebody must act', () => {
  test('an attempt that runs is not settled; one that ended is', async () => {
    const ref = await started(pool, { task: 'ends' });
    expect(await attemptStatus(pool, ref)).toEqual({
      state: 'CREATED',
      reason: null,
      ended: false,
      settled: false,
      sequence: 1,
    });
    await inMove(ref, 1, (tx) => tx.update({ state: 'COMPLETED', reason: 'success', ended: true }));
    expect(await attemptStatus(pool, ref)).toMatchObject({
      state: 'COMPLETED',
      reason: 'success',
      ended: true,
      settled: true,
    });
  });

  test('M4 a pause is settled until a message waits or was taken, and again at the next pause', async () => {
    const ref = await started(pool, { task: 'pauses' });
    const settled = async () => (await attemptStatus(pool, ref)).settled;

    await pause(ref, 3);
    expect(await settled()).toBe(true);
    await insertMessage(pool, ref, { id: 'a', kind: 'say', body: { text: 'Yes.' } });
    expect(await settled()).toBe(false);
    await take(ref, 4); // the row still says WAITING_FOR_USER
    expect(await settled()).toBe(false);
    await pause(ref, 9);
    expect(await settled()).toBe(true);
  });

  test('M4 a message that is rejected ends no pause', async () => {
    const ref = await started(pool, { task: 'rejects' });
    await pause(ref, 3);
    await insertMessage(pool, ref, { id: 'a', kind: 'unknown', body: { name: 'x', why: 'nobody knows it' } });
    await inMove(ref, 4, (tx) => tx.dispose('a', 'rejected', 'nobody knows it'));
    expect((await attemptStatus(pool, ref)).settled).toBe(true);
  });
});

test('a message has the words of its sender: a text, a reason, or the name of a signal that nobody knows', async () => {
  const ref = await started(pool, { task: 'words' });
  await insertMessage(pool, ref, { id: 'a', kind: 'say', body: { text: 'Yes.' } });
  await insertMessage(pool, ref, { id: 'b', kind: 'cancel', body: { by: 'ana', reason: 'enough' } });
  await insertMessage(pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  await insertMessage(pool, ref, { id: 'd', kind: 'unknown', body: { name: 'aprove', why: 'nobody knows it' } });
  const words = await Promise.all(['a', 'b', 'c', 'd', 'none'].map((id) => messageWords(pool, ref, id)));
  expect(words).toEqual(['Yes.', 'enough', null, 'aprove', null]);
});

describe('all about one', () => {
  const proposal = (tx: AttemptTx) => {
    tx.update({ step: 1 });
    tx.insert('steps', { step: 1, turn: 1, stop: { kind: 'actions' }, body: { text: 'I write it.' }, tokens: 9 });
    const action = (index: number, tool: string, effect: string, args: string) =>
      tx.insert('actions', {
        step: 1,
        index,
        call_id: `c${index}`,
        tool,
        effect,
        args: { text: args },
        args_hash: 'aa',
      });
    action(0, 'read_file', 'none', '{"path":"a"}');
    action(1, 'write_file', 'idempotent', '{"path":"a","content":"b"}');
    action(2, 'ask_user', 'control', '{"question":"Which?"}');
    for (const execution of [1, 2]) {
      tx.insert('tool_tries', toolTry({ step: 1, index: 1, execution }));
    }
  };

  test('R12.1 budget, criteria, effects, workspace and versions are in it', async () => {
    const ref = await started(pool, { task: 'details', versions: { holdfast: '1.2.3' } });
    await inMove(ref, 1, (tx) => tx.update({ baseCommit: 'b0', snapshot: 's1' }));
    await inMove(ref, 2, proposal);
    await inMove(ref, 3, (tx) => tx.closeToolTry({ step: 1, index: 1, try: 1, execution: 2 }, { outcome: 'ok' }));
    for (const [candidate, met] of [
      [1, false],
      [2, true],
    ] as const) {
      await inMove(ref, 3 + candidate, (tx) =>
        tx.insert('evidence', {
          candidate,
          criterion: 'tests',
          met,
          snapshot: 's1',
          body: { detail: met ? '' : 'one fails', output: met ? 'all passed' : 'not ok 1' },
        }),
      );
    }
    await inMove(ref, 6, (tx) =>
      tx.emit({ type: 'committed', payload: { branch: 'holdfast/details/1', commit: 'c1' } }),
    );

    expect(await attemptDetails(pool, ref)).toMatchObject({
      attemptId: 'details/1',
      taskId: 'details',
      workflowId: 'attempt/default/details/1',
      goal: 'Make it pass.',
      turn: 1,
      step: 1,
      budget: { limits: { maxTurns: 30 }, used: { costMicroUsd: 0 } },
      checks: [{ id: 'tests', check: 'command', met: true, candidate: 2, detail: '', output: 'all passed' }],
      effects: [],
      approvals: [],
      unknownEffects: [],
      waitsForEffect: null,
      tainted: false,
      startedBy: null,
      workspace: { git: '/srv/repo', base: 'b0', snapshot: 's1', branch: 'holdfast/details/1', commit: 'c1' },
      versions: { holdfast: '1.2.3', contract: 1, flow: 1, models: ['default'] },
      workflowStarted: false,
    });
  });

  test('the newest proposal and the messages that wait are in it', async () => {
    const ref = await started(pool, { task: 'last' });
    await inMove(ref, 1, proposal);
    await insertMessage(pool, ref, { id: 'm', kind: 'say', body: { text: 'x' } });

    const details = await attemptDetails(pool, ref);
    expect(details.checks).toEqual([
      { id: 'tests', check: 'command', met: null, candidate: null, detail: null, output: null, artifact: null },
    ]);
    expect(details.waitingMessages).toEqual([{ id: 'm', kind: 'say' }]);
    expect(details.lastStep?.text).toBe('I write it.');
    expect(details.lastStep?.actions.map(({ actionId, tool }) => [actionId, tool])).toEqual([
      ['last/1/s1.a0', 'read_file'],
      ['last/1/s1.a1', 'write_file'],
      ['last/1/s1.a2', 'ask_user'],
    ]);
  });

  test('R8.4 what stood in its way last is in it and in the list, until something goes on', async () => {
    const ref = await started(pool, { tenant: 'stuck', task: 'stuck' });
    const both = async () => [
      (await attemptDetails(pool, ref)).trouble,
      (await listAttempts(pool, 'stuck', { open: true, limit: 1 })).attempts[0]?.trouble,
    ];
    expect(await both()).toEqual([null, null]);

    await inMove(ref, 1, (tx) =>
      tx.emit({ type: 'model_failed', payload: { code: 'NO_KEY', try: 1, model: 'm', detail: 'no key for m' } }),
    );
    await pause(ref, 2);
    const noKey = { kind: 'model', what: 'm', code: 'NO_KEY', detail: 'no key for m' };
    expect(await both()).toEqual([noKey, noKey]);

    await inMove(ref, 3, (tx) => tx.emit({ type: 'message_taken', payload: { messageId: 'a', kind: 'say' } }));
    expect(await both()).toEqual([null, null]);
  });

  test('R7.3 what a loop was is trouble: the call, how often, and in what unchanged world', async () => {
    const ref = await started(pool, { task: 'loops' });
    await inMove(ref, 1, (tx) => {
      tx.insert('actions', action({ step: 5, tool: 'read_file', args: { text: '{"path":"a.ts"}' } }));
      tx.update({ step: 5 });
      const payload = { index: 0, tool: 'read_file', repeats: 4, kind: 'repeated', snapshot: 'abc' } as const;
      tx.emit({ type: 'loop_warning', payload: { ...payload, intervention: 'end' } });
      tx.emit({
        type: 'action_finished',
        payload: { index: 0, tool: 'read_file', ok: false, code: 'LOOP_DETECTED', bytes: 9 },
      });
    });
    const { trouble } = await attemptDetails(pool, ref);
    expect(trouble).toEqual({
      kind: 'loop',
      what: 'read_file',
      code: 'LOOP_DETECTED',
      detail: null,
      loop: {
        action: 's5.a0',
        args: '{"path":"a.ts"}',
        repeats: 4,
        intervention: 'end',
        kind: 'repeated',
        snapshot: 'abc',
      },
    });
    expect(trouble && troubleWords(trouble)).toBe(
      's5.a0 read_file a.ts: repeated 4 times, and the workspace was still at abc: not run; the attempt ends',
    );
  });

  test('a check that could not run is trouble; one that judged is none', async () => {
    const ref = await started(pool, { task: 'unable' });
    const checked = (n: number, code: object) =>
      inMove(ref, n, (tx) =>
        tx.emit({ type: 'criterion_checked', payload: { criterion: 'tests', met: false, candidate: n, ...code } }),
      );
    await checked(1, {});
    expect((await attemptDetails(pool, ref)).trouble).toBeNull();
    await checked(2, { code: 'NO_SHELL' });
    expect((await attemptDetails(pool, ref)).trouble).toMatchObject({ kind: 'check', what: 'tests', code: 'NO_SHELL' });
  });

  test('R10.3 a text that is kept elsewhere is told as absent, not as its hash', async () => {
    const ref = await started(pool, { task: 'long' });
    await inMove(ref, 1, (tx) => {
      tx.insert('steps', { step: 1, turn: 1, stop: { kind: 'text' }, body: { hash: 'ff', bytes: 99_999 }, tokens: 9 });
    });
    expect(await stepDetails(pool, ref, 1)).toEqual({ text: null, priceKnown: true, actions: [] });
    expect(await stepDetails(pool, ref, 2)).toBeUndefined();
  });
});
