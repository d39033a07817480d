import type { Pool } from 'pg';
import { contractHash } from '../../src/domain/contract/hash';
import { markWorkflowStarted, startAttempt } from '../../src/ledger/start-attempt';
import { startTurn, type TurnRequest } from '../../src/ledger/start-turn';
import { type AttemptRef, taskOf } from '../../src/protocol/ids';
import { brokenInvariants } from '../support/ledger-invariants';
import { contract, end, freshLedger, startRequest } from './support/ledger';

/** M8: a message to a dialog that has completed makes the Thread's next attempt, in the transaction that stores it. */

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());
afterEach(async () => expect(await brokenInvariants(pool)).toEqual([]));

const { workspace: _none, ...plain } = contract;
const dialog = { ...plain, kind: 'dialog' as const, acceptance: [], tools: [] };
const settings = { flow: 7, stepsPerRun: 50, searchAttributes: false };
const say = (id: string, text = 'And now?'): TurnRequest => ({
  message: { kind: 'say', id, body: { text, by: 'ana' } },
  settings,
  versions: { holdfast: '9' },
});

let tasks = 0;
/** An attempt that was asked and has answered; its row alone says that it completed. */
async function completed(change: Parameters<typeof startRequest>[0] = {}): Promise<AttemptRef> {
  tasks += 1;
  const { snapshot } = startRequest();
  const request = startRequest({
    task: `talk-${tasks}`,
    contract: dialog,
    input: 'First?',
    snapshot: { ...snapshot, kind: 'dialog', hasWorkspace: false, criteria: [] },
    ...change,
  });
  const { ref } = (await startAttempt(pool, request)).attempt;
  await answer(ref, 'The first answer.');
  return ref;
}

async function answer(ref: AttemptRef, text: string): Promise<void> {
  await pool.query(
    `insert into steps (attempt, step, turn, stop, body, tokens) values ($1, 1, 1, '{"kind":"compensation"}', $2, 0)`,
    [ref.key, { text }],
  );
  await pool.query('update attempts set step = 1, sequence = 2 where key = $1', [ref.key]);
  await pool.query(
    `insert into events (attempt, sequence, move, k, type, turn, step, visibility, payload) values ($1, 2, 0, 1, 'ended', 1, 1, 'user', '{"state":"COMPLETED","reason":"success"}')`,
    [ref.key],
  );
  await end(pool, ref, 'COMPLETED', 'success');
}
const attemptOf = async ({ key }: AttemptRef) =>
  (await pool.query('select * from attempts where key = $1', [key])).rows[0];
const textsOf = async ({ key }: AttemptRef) =>
  (await pool.query(`select body ->> 'text' as text from inputs where attempt = $1 order by ordinal`, [key])).rows.map(
    ({ text }) => text,
  );

test('M8 the next turn is attempt n+1 of the Thread, under the same contract and limits, with what was said before', async () => {
  const first = await completed();
  const turn = await startTurn(pool, first, say('m1'));
  if (turn.kind !== 'created') throw new Error(turn.kind);
  const { ref, snapshot } = turn.attempt;

  expect(ref.id).toBe(first.id.replace('/1', '/2'));
  expect(snapshot).toMatchObject({ ...settings, kind: 'dialog', models: startRequest().snapshot.models });
  const [was, is] = [await attemptOf(first), await attemptOf(ref)];
  expect(is).toMatchObject({
    thread: was.thread,
    contract_version: was.contract_version,
    limits: was.limits,
    heard: 2,
    tainted: false,
    start: { continues: { attempt: first.id, messageId: 'm1' }, versions: { holdfast: '9' }, startedBy: 'ana' },
  });
  expect(is.account).toMatchObject({ turns: 1, costMicroUsd: 0 });
  const [memory, message] = await textsOf(ref);
  expect(message).toBe('And now?');
  expect(memory).toContain('The user said:\nFirst?\n\nYou answered:\n<data>\nThe first answer.\n</data>');

  await answer(ref, 'The second answer.');
  const next = await startTurn(pool, ref, say('m2', 'Third?'));
  if (next.kind !== 'created') throw new Error(next.kind);
  const [longer] = await textsOf(next.attempt.ref);
  const order = ['First?', 'The first answer.', 'And now?', 'The second answer.'].map((text) => longer.indexOf(text));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order.every((at) => at > 0)).toBe(true);
  expect(longer.split('The user said:')).toHaveLength(3); // the memory of the turn before is not remembered again
});

test('M8 of messages at once one makes the turn, and the others find it; the same one again is known', async () => {
  const first = await completed();
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const outcomes = await Promise.all(ids.map((id) => startTurn(pool, first, say(id))));
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'elsewhere')).toHaveLength(5);

  const winner = outcomes.findIndex(({ kind }) => kind === 'created');
  const made = outcomes[winner];
  if (made?.kind !== 'created') throw new Error('Nobody won.');
  await markWorkflowStarted(pool, made.attempt.ref);
  expect(await startTurn(pool, first, say(ids[winner] ?? ''))).toEqual({
    kind: 'known',
    attempt: { ...made.attempt, workflowStarted: true },
  });
  expect(await startTurn(pool, made.attempt.ref, say('x'))).toMatchObject({ kind: 'over', state: 'CREATED' });
});

test('M8 what nothing goes on from is told so: another kind of task, another end, and what runs', async () => {
  const failed = await completed();
  await end(pool, failed, 'FAILED', 'loop_detected');
  expect(await startTurn(pool, failed, say('m'))).toEqual({ kind: 'over', state: 'FAILED', reason: 'loop_detected' });
  const other = await completed({ contract: plain });
  expect(await startTurn(pool, other, say('m'))).toMatchObject({ kind: 'over', state: 'COMPLETED' });
});

test('R5.1 a turn that remembers untrusted words is tainted, and R1.2 a goal that was revised stays revised', async () => {
  const first = await completed();
  const revised = { ...dialog, revisions: ['Shorter.'] };
  await pool.query(`insert into contracts (tenant, task, version, hash, body) values ('default', $1, 2, $2, $3)`, [
    taskOf(first.id),
    contractHash(revised),
    revised,
  ]);
  await pool.query('update attempts set tainted = true, revised_version = 2, revised_after_step = 0 where key = $1', [
    first.key,
  ]);
  const turn = await startTurn(pool, first, say('m'));
  if (turn.kind !== 'created') throw new Error(turn.kind);
  expect(await attemptOf(turn.attempt.ref)).toMatchObject({
    tainted: true,
    contract_version: 2,
    revised_version: null,
  });
});
