import { isDeepStrictEqual } from 'node:util';
import { openApprovals } from '../../src/ledger/queries/open-approvals';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, observations } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

const delegate = (args: object) => ({ tool: 'delegate', args: { kind: 'dialog', ...args } });
const child = (parent: string, place = 's1a0') => `${parent}.1.${place}`;
const done = { text: 'That is all.' };
const ask = { calls: [{ tool: 'ask_user', args: { question: 'Which one?' } }] };

/** A line of descent, each delegating once; the last is one too deep. */
const deep = ['deep', child('deep'), child(child('deep')), child(child(child('deep')))];

let world: AttemptWorld;
beforeAll(async () => {
  const attempts = {
    one: { 1: { calls: [delegate({ goal: 'Add 2 and 3.' })] }, 2: { text: 'It is five.' } },
    [child('one')]: { 1: { text: 'The sum is 5.' } },
    three: { 1: { calls: ['a', 'b', 'c'].map((goal) => delegate({ goal })) }, 2: done },
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name, at) => [child('three', `s1a${at}`), { 1: { text: `I am ${name}.` } }]),
    ),
    greedy: {
      1: {
        calls: [
          delegate({ goal: 'Pay.', tools: ['pay'] }),
          delegate({ goal: 'Mend it.', kind: 'code_change' }),
          delegate({ goal: 'Count.', kind: 'data' }),
          delegate({ goal: 'Think.', budget: { maxTokens: 10_000_000 } }),
        ],
      },
      2: done,
    },
    ...Object.fromEntries(
      deep.map((task) => [task, { 1: { calls: [delegate({ goal: 'Go deeper.', tools: ['delegate'] })] }, 2: done }]),
    ),
    stopped: { 1: { calls: [delegate({ goal: 'Ask.' })] }, 2: done },
    [child('stopped')]: { 1: ask },
    line: { 1: { calls: [delegate({ goal: 'Have it asked.', tools: ['delegate'] })] }, 2: done },
    [child('line')]: { 1: { calls: [delegate({ goal: 'Ask.' })] }, 2: done },
    [child(child('line'))]: { 1: ask },
    poor: { 1: { calls: [delegate({ goal: 'Think.', budget: { maxTokens: 10 } })] }, 2: done },
    asked: { 1: { calls: [delegate({ goal: 'Look.' })] }, 2: done },
    [child('asked')]: { 1: { calls: [{ tool: 'guarded', args: {} }] }, 2: { text: 'I looked.' } },
  };
  world = await attemptWorld({
    transcript: { attempts },
    tools: [tool({ name: 'get_time', run: () => ok('noon') }), tool({ name: 'guarded', run: () => ok('seen') })],
    policy: testPolicy(({ tool: asked }) =>
      asked === 'guarded'
        ? {
            kind: 'require_approval',
            rule: 'guarded',
            terms: { approvers: [], approvals: 1, expiresInMs: 60_000, channel: 'asserted' },
          }
        : { kind: 'allow', rule: 'all' },
    ),
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const start = (task: string) =>
  world.start({ task, limits: { maxSameToolErrors: 9 }, contract: { tools: ['delegate', 'get_time', 'guarded'] } });
type Ref = Awaited<ReturnType<typeof start>>;
const shown = async (ref: Ref) => (await observations(world.pool, ref)).map(({ ok, text }) => ({ ok, text }));
const completed = { state: 'COMPLETED', reason: 'success' };
const begun = async (task: string): Promise<Ref> => {
  const find = async () =>
    (await world.pool.query<{ key: string }>('select key from attempts where task = $1', [task])).rows[0];
  await until(async () => (await find()) !== undefined, `${task} was begun`);
  return { tenant: 'default', id: `${task}/1`, key: Number((await find())?.key) };
};

/** Waits until the parent's account has of its children what they used, and nothing that it held for them. */
async function settled(parent: Ref, children: readonly Ref[]): Promise<void> {
  const spent = async () => {
    const accounts = await Promise.all(children.map((one) => accountOf(world.pool, one)));
    return accounts.map(({ tokens, costMicroUsd, toolCalls, delegated = none }) => ({
      tokens: tokens + delegated.tokens,
      costMicroUsd: costMicroUsd + delegated.costMicroUsd,
      toolCalls: toolCalls + delegated.toolCalls,
    }));
  };
  const sum = (await spent()).reduce(
    (all, one) => ({
      tokens: all.tokens + one.tokens,
      costMicroUsd: all.costMicroUsd + one.costMicroUsd,
      toolCalls: all.toolCalls + one.toolCalls,
    }),
    none,
  );
  const held = async () => (await accountOf(world.pool, parent)).delegated;
  await until(async () => isDeepStrictEqual(await held(), sum), `${parent.id} has settled ${JSON.stringify(sum)}`);
}
const none = { tokens: 0, costMicroUsd: 0, toolCalls: 0 };

test('R15.1 a child works on its part, and its result comes back once, as the answer of the call that asked for it', async () => {
  const ref = await start('one');
  expect(await world.result(ref)).toEqual(completed);
  const [told] = await shown(ref);
  expect(told?.ok).toBe(true);
  expect(JSON.parse(told?.text ?? '')).toMatchObject({
    child: `${child('one')}/1`,
    state: 'COMPLETED',
    summary: 'The sum is 5.',
  });
  const types = (await world.events(ref)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('child_'))).toEqual(['child_started', 'child_ended']);
});

test('R6.4 what a child used is its parent’s, what it did not use is given back, and a tenant’s cost has it once', async () => {
  const [parent, own] = [await begun('one'), await begun(child('one'))];
  const [account, used] = [await accountOf(world.pool, parent), await accountOf(world.pool, own)];
  const { tokens, costMicroUsd, toolCalls } = used;
  expect(tokens).toBeGreaterThan(0);
  expect(account.delegated).toEqual({ tokens, costMicroUsd, toolCalls });
});

test('R15.1 R14.4 several of one proposal work side by side, and each answers in its place', async () => {
  const ref = await start('three');
  expect(await world.result(ref)).toEqual(completed);
  const told = (await shown(ref)).map(({ text }) => JSON.parse(text));
  expect(told.map(({ summary }) => summary)).toEqual(['I am a.', 'I am b.', 'I am c.']);
  const types = (await world.events(ref)).flatMap(({ type }) => (type.startsWith('child_') ? [type] : []));
  expect(types.slice(0, 3)).toEqual(['child_started', 'child_started', 'child_started']);
});

test('R15.1 R6.4 a child gets no tool and no budget that its parent lacks, and what its kind needs is asked for; nothing is begun', async () => {
  const ref = await start('greedy');
  expect(await world.result(ref)).toEqual(completed);
  const codes = (await shown(ref)).map(({ ok, text }) => [ok, JSON.parse(text).error.code]);
  expect(codes).toEqual([
    [false, 'TOOL_NOT_HELD'],
    [false, 'KIND_NEEDS_WORKSPACE'],
    [false, 'KIND_NEEDS_CHECK'],
    [false, 'NOT_ENOUGH_BUDGET'],
  ]);
  const { rows } = await world.pool.query('select from children where attempt = $1', [ref.key]);
  expect(rows).toHaveLength(0);
});

test('R15.1 children of children are at most three deep, and each level comes back', async () => {
  const ref = await start('deep');
  expect(await world.result(ref)).toEqual(completed);
  const last = await begun(deep[3] ?? '');
  expect((await shown(last))[0]?.text).toContain('TOO_DEEP');
  for (const task of deep.slice(0, 3)) expect((await shown(await begun(task)))[0]?.ok).toBe(true);
});

test('R11.1 R11.3 a cancel goes down, and the parent is CANCELLED once its child is over', async () => {
  const ref = await start('stopped');
  const own = await begun(child('stopped'));
  await world.until(own, 'WAITING_FOR_USER');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  const { rows } = await world.pool.query<{ task: string }>(
    'select task from attempts where key in ($1, $2) order by ended_at',
    [ref.key, own.key],
  );
  expect(rows.map(({ task }) => task)).toEqual([child('stopped'), 'stopped']);
  await settled(ref, [own]);
});

test('R6.4 a parent that is over before it heard of its children gets back what they did not use, and so do those above it', async () => {
  const ref = await start('line');
  const below = await begun(child('line'));
  const last = await begun(child(child('line')));
  await world.until(last, 'WAITING_FOR_USER');
  // By hand: nobody tells the workflow in the middle, and a worker closes its attempt.
  await world.handle(below).terminate('by hand');
  expect(await world.result(ref)).toEqual(completed);
  const children = async (of: Ref) => (await accountOf(world.pool, of)).delegated;
  await until(
    async () =>
      (await world.pool.query('select from attempts where key = $1 and ended_at is not null', [last.key])).rowCount ===
      1,
    'the last one is over',
  );
  await settled(below, [last]);
  await settled(ref, [below]);
  expect((await children(ref))?.toolCalls).toBeGreaterThan(0);
});

test('R6.4 a child that has used up its share waits, gets no more than its share, and cancelled it comes back as what it found', async () => {
  const ref = await start('poor');
  const own = await begun(child('poor'));
  await world.until(own, 'SUSPENDED');
  await world.send(own, { kind: 'resume', body: { by: 'ana', budget: { maxTokens: 50_000 } } });
  await until(
    async () =>
      (await world.events(own)).some(
        ({ type, payload }) => type === 'message_rejected' && String(payload['why']).includes('share'),
      ),
    'the raise was refused',
  );
  await world.send(own, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual(completed);
  expect((await shown(ref))[0]).toEqual({ ok: false, text: expect.stringContaining('CHILD_CANCELLED') });
});

test('R15.1 what a child asks approval for is shown at its root, and it goes on once it is answered', async () => {
  const ref = await start('asked');
  const own = await begun(child('asked'));
  await world.until(own, 'WAITING_FOR_APPROVAL');
  const open = await openApprovals(world.pool, { tenant: 'default', attempt: ref.key });
  expect(open.map(({ attemptId, tool: asked }) => [attemptId, asked])).toEqual([[own.id, 'guarded']]);
  const { actionId, binding } = open[0] ?? { actionId: '', binding: '' };
  await world.send(own, { kind: 'approve', body: { actionId, binding, by: 'ana' } });
  expect(await world.result(ref)).toEqual(completed);
  expect(JSON.parse((await shown(ref))[0]?.text ?? '')).toMatchObject({ summary: 'I looked.' });
});
