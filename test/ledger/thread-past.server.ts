import type { Pool } from 'pg';
import { forkAttempt } from '../../src/ledger/fork-attempt';
import { createLedger } from '../../src/ledger/ledger';
import { startAttempt } from '../../src/ledger/start-attempt';
import { startTurn, type TurnRequest } from '../../src/ledger/start-turn';
import type { AttemptRef } from '../../src/protocol/ids';
import { contract, end, freshLedger, startRequest } from './support/ledger';

/** R1.2: what a Thread's next turn is told of the ones before it, from rows as they lie in the ledger. */

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

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

const checkpoint = {
  ...{ v: 2, at: 'end', thread: 1, turn: 1, step: 1, state: 'COMPLETED', reason: 'success', plan: null, unmet: [] },
  context: { projection: 0, contract: 1, input: 3 },
  versions: { code: '1', policy: 'p1', environment: null, models: {}, tools: {} },
  effects: { committed: [], more: false, uncertain: [] },
  budget: { used: { turns: 1, toolCalls: 0, repairs: 0, tokens: 0, costMicroUsd: 0, runtimeMs: 0 }, limits: {} },
  base: null,
  snapshot: null,
};
test('R1.2, R8.6 a turn is told what earlier turns did outside, which binds it not, and keeps what was stale', async () => {
  const first = await completed();
  await pool.query(
    `insert into actions (attempt, step, index, call_id, tool, effect, args, args_hash) values ($1, 1, 0, 'c', 'pay', 'unsafe', $2, 'h')`,
    [first.key, { text: '{"to":"ana"}' }],
  );
  await pool.query(
    `insert into effects (tenant, key, generation, attempt, step, index, tool, class, target, args_hash, phase, fence, n, owner, rule, policy, sent_at, settled_by)
     values ('default', $2, 1, $1, 1, 0, 'pay', 'unsafe', 'iban:1', '\\x00', 'COMMITTED', 1, 1, gen_random_uuid(), 'r', 'p', now(), 'send')`,
    [first.key, `${first.id}/s1.a0`],
  );
  await pool.query(`update attempts set stale_targets = '[{"place":"outside","target":"iban:1"}]' where key = $1`, [
    first.key,
  ]);
  const turn = await startTurn(pool, first, say('m1', 'Once more.'));
  if (turn.kind !== 'created') throw new Error(turn.kind);
  expect((await textsOf(turn.attempt.ref))[0]).toContain('<data>\n- pay {"to":"ana"} on iban:1 took effect\n</data>');
  const ledger = createLedger(pool);
  expect((await ledger.attempt(turn.attempt.ref)).staleTargets).toEqual([{ place: 'outside', target: 'iban:1' }]);
  const asked = { tool: 'pay', argsHash: '00' };
  expect(await ledger.transact(turn.attempt.ref, { n: 1 }, (tx) => tx.kinKey(asked, 1, 0))).toBeUndefined();
});

test('R12.3, R1.2 the next turn of a fork remembers what was said in the Thread that it comes from, up to its checkpoint', async () => {
  const first = await completed();
  const turn = await startTurn(pool, first, say('m1', 'Second?'));
  if (turn.kind !== 'created') throw new Error(turn.kind);
  const { ref } = turn.attempt;
  await pool.query(
    `insert into inputs (attempt, ordinal, turn, after_step, kind, body) values ($1, 3, 1, 1, 'message', '{"text":"Shorter."}'), ($1, 4, 1, 1, 'message', '{"text":"Too late."}')`,
    [ref.key],
  );
  await answer(ref, 'The second answer.');
  await pool.query('insert into checkpoints (attempt, n, body) values ($1, 5, $2)', [ref.key, checkpoint]);
  await startTurn(pool, ref, say('m2', 'Of another future.'));
  const texts = { store: async (text: string) => ({ text }), load: async () => '' };
  const fork = await forkAttempt(pool, { from: ref, snapshot: settings, versions: {}, texts });
  if (fork.kind !== 'forked') throw new Error(fork.detail);
  await answer(fork.attempt.ref, 'The answer of the fork.');
  const next = await startTurn(pool, fork.attempt.ref, say('m3', 'Third?'));
  if (next.kind !== 'created') throw new Error(next.kind);

  const [memory, message] = await textsOf(next.attempt.ref);
  expect(message).toBe('Third?');
  const said = ['First?', 'The first answer.', 'Second?', 'The second answer.', 'Shorter.', 'The answer of the fork.'];
  expect(memory.match(/First\?|Second\?|Shorter\.|The (first|second) answer\.|The answer of the fork\./g)).toEqual(
    said,
  );
  expect(memory).not.toContain('Too late.');
  expect(memory).not.toContain('another future');
  expect(await attemptOf(next.attempt.ref)).toMatchObject({ thread: (await attemptOf(fork.attempt.ref)).thread });
});
