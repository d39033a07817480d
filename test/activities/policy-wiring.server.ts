import type { Contract } from '../../src/domain/contract/contract';
import { insertMessage } from '../../src/ledger/inbox';
import { createPolicy } from '../../src/policy/create-policy';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import { createRegistry } from '../../src/tools/registry';
import { policyFiles, rules } from '../policy/support/policy-of';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows, effectRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { ok, type RunContext, tool } from '../support/test-tools';

/** What a written policy makes of real calls: every fact reaches it, and every limit that it sets reaches the tool. */

type Args = Record<string, unknown>;
let ran: { readonly tool: string; readonly args: Args; readonly readOnlyRole: boolean }[];
let world: ActivityWorld;

const note = (name: string) => (args: Args, context: Partial<RunContext>) => {
  ran.push({ tool: name, args, readOnlyRole: context.readOnlyRole === true });
  return ok(`outcome of ${name}`);
};
/** Of slow tools: longer than a test may take, so that only the limit of a rule can end them. */
const ownLimitMs = 3_600_000;
/** Nothing is tried as often as this. */
const lastTry = 20;
/** Ends only when it is told to. */
const hang = (_args: Args, { signal }: RunContext) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const places = { paths: ({ path }: Args) => [String(path)], hosts: ({ host }: Args) => [String(host)] };
const deduplicated = { effect: 'deduplicated', quick: true } as const;
const tools = [
  tool({ name: 'look', run: note('look') }),
  tool({ name: 'web', run: note('web'), untrusted: true }),
  tool({ name: 'put', ...deduplicated, run: note('put'), write: { target: ({ order }) => `order:${order}` } }),
  tool({ name: 'put_unsafe', effect: 'unsafe', run: note('put_unsafe') }),
  tool({ name: 'keyed', ...deduplicated, run: note('keyed'), write: { businessKey: () => 'one' } }),
  tool({ name: 'ask', ...deduplicated, run: note('ask') }),
  tool({ name: 'never', ...deduplicated, run: note('never') }),
  tool({ name: 'read_path', run: note('read_path'), enforces: places }),
  tool({ name: 'post', ...deduplicated, run: note('post'), enforces: places }),
  tool({ name: 'pay', ...deduplicated, run: note('pay') }),
  tool({ name: 'query', run: note('query'), enforces: { readOnlyRole: true } }),
  tool({ name: 'call', ...deduplicated, run: note('call'), enforces: { readOnlyRole: true } }),
  tool({ name: 'slow_read', timeoutMs: ownLimitMs, run: hang }),
  tool({ name: 'slow_write', ...deduplicated, timeoutMs: ownLimitMs, run: hang }),
  tool({
    name: 'slow_prepare',
    timeoutMs: ownLimitMs,
    ...deduplicated,
    run: note('slow_prepare'),
    write: { prepare: (args, context) => hang(args, { ...context, idempotencyKey: '' }) },
  }),
  tool({ name: 'rare', run: note('rare') }),
  tool({ name: 'no_paths', run: note('no_paths') }),
  tool({ name: 'no_hosts', ...deduplicated, run: note('no_hosts') }),
  tool({ name: 'no_role', run: note('no_role') }),
];
const within = (name: string, ...constraints: readonly string[]) =>
  `{ id: ${name}, when: tool == "${name}", decision: constrained_allow, constraints: [${constraints.join(', ')}] }`;
const limits = [
  within('read_path', '{ pathPrefix: src/ }'),
  within('write_file', '{ pathPrefix: src/ }'),
  within('post', '{ hosts: [api.example.com] }'),
  within('pay', '{ maxAmount: { argument: amount, max: 50 } }', '{ callsPerHour: 20 }'),
  within('query', '{ readOnlyRole: true }'),
  within('call', '{ readOnlyRole: true }'),
  within('slow_read', '{ timeLimit: 30s }', '{ timeLimit: 1s }'),
  within('slow_write', '{ timeLimit: 1s }'),
  within('slow_prepare', '{ timeLimit: 1s }', '{ timeLimit: 30s }'),
  within('rare', '{ callsPerHour: 1 }'),
  within('no_paths', '{ pathPrefix: src/ }'),
  within('no_hosts', '{ hosts: [api.example.com] }'),
  within('no_role', '{ readOnlyRole: true }'),
];

interface Scene {
  readonly calls: readonly { readonly tool: string; readonly args?: Args }[];
  readonly contract?: Partial<Contract>;
  readonly by?: string;
  /** Of the model's answer, tokens; one of input costs a millionth of a dollar, one of output four. */
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
  /** The task had an attempt under another contract before. */
  readonly revised?: true;
  /** The user has said something more before the model is asked: the second turn. */
  readonly said?: true;
}
const put = (order = 7) => ({ tool: 'put', args: { order } });
/** By fact: what a rule asks, a scene in which that is so, and one in which it is not. The last call is what is decided on. */
const facts: Record<string, { readonly when: string; readonly yes: Scene; readonly no: Scene }> = {
  principal: { when: 'principal == "eva"', yes: { calls: [put()], by: 'eva' }, no: { calls: [put()], by: 'ana' } },
  target: { when: 'target == "order:7"', yes: { calls: [put(7)] }, no: { calls: [put(8)] } },
  args: { when: 'args.order == 7', yes: { calls: [put(7)] }, no: { calls: [put(8)] } },
  tool: { when: 'tool == "put"', yes: { calls: [put()] }, no: { calls: [{ tool: 'look' }] } },
  tenant: { when: 'tenant == "default" && tool == "put"', yes: { calls: [put()] }, no: { calls: [{ tool: 'look' }] } },
  effect: { when: 'effect == "unsafe"', yes: { calls: [{ tool: 'put_unsafe' }] }, no: { calls: [put()] } },
  workspace: {
    when: 'workspace',
    yes: { calls: [{ tool: 'write_file', args: { path: 'src/a', content: '' } }], contract: { tools: ['write_file'] } },
    no: { calls: [put()] },
  },
  kind: {
    when: 'contract.kind == "business_action"',
    yes: { calls: [put()], contract: { kind: 'business_action' } },
    no: { calls: [put()] },
  },
  task: { when: 'contract.task == "task-yes"', yes: { calls: [put()] }, no: { calls: [put()] } },
  version: { when: 'contract.version == 2', yes: { calls: [put()], revised: true }, no: { calls: [put()] } },
  cost: {
    when: 'spend.costUsd > 0.0029 && spend.costUsd < 0.0031',
    yes: { calls: [put()], usage: { promptTokens: 1_000, completionTokens: 500 } },
    no: { calls: [put()], usage: { promptTokens: 1, completionTokens: 1 } },
  },
  called: {
    when: 'spend.toolCalls == 1',
    yes: { calls: [{ tool: 'look' }, put()] },
    no: { calls: [put()] },
  },
  turns: { when: 'spend.turns == 2', yes: { calls: [put()], said: true }, no: { calls: [put()] } },
  tainted: {
    when: 'tainted',
    yes: { calls: [{ tool: 'web' }, put()] },
    no: { calls: [{ tool: 'look' }, put()] },
  },
};
const factRules = Object.entries(facts).map(
  ([fact, { when }]) =>
    `{ id: by-${fact}, when: '${when} && contract.task.startsWith("${fact}-")', decision: deny, reason: "By ${fact}." }`,
);

const scenes: Record<string, Scene> = {
  'keyed-first': { calls: [{ tool: 'keyed', args: { amount: 1 } }] },
  'keyed-again': { calls: [{ tool: 'keyed', args: { amount: 1 } }] },
  'denied-same': { calls: [{ tool: 'keyed', args: { amount: 1 } }] },
  'denied-other': { calls: [{ tool: 'keyed', args: { amount: 2 } }] },
  asks: { calls: [1, 1, 2].map((order) => ({ tool: 'ask', args: { order } })) },
  escalates: { calls: [1, 1, 1, 2].map((order) => ({ tool: 'never', args: { order } })) },
};
/** What a call held to a limit comes to: the answer of `act`, by the start of what the model is told. */
const held: readonly [what: string, tool: string, args: Args, answer: object, told: RegExp][] = [
  ['a path below the folder', 'read_path', { path: 'src/a' }, { ok: true }, /^outcome/],
  ['a path beside the folder', 'read_path', { path: 'srcs/a' }, { code: 'CONSTRAINT_VIOLATED' }, /not within src/],
  [
    'the path of a real tool',
    'write_file',
    { path: '../a', content: '' },
    { code: 'CONSTRAINT_VIOLATED' },
    /not within/,
  ],
  ['a host that is named', 'post', { host: 'api.example.com' }, { ok: true }, /^outcome/],
  ['another host', 'post', { host: 'example.com' }, { code: 'CONSTRAINT_VIOLATED' }, /not among api\.example\.com/],
  ['the greatest amount', 'pay', { amount: 50 }, { ok: true }, /^outcome/],
  ['more than that', 'pay', { amount: 50.01 }, { code: 'CONSTRAINT_VIOLATED' }, /at most 50 is allowed/],
  ['an amount that is a text', 'pay', { amount: '5' }, { code: 'CONSTRAINT_VIOLATED' }, /must be a number/],
  ['a tool that names no paths', 'no_paths', { path: 'src/a' }, { code: 'CONSTRAINT_UNAVAILABLE' }, /which paths/],
  ['a tool that names no hosts', 'no_hosts', { host: 'a' }, { code: 'CONSTRAINT_UNAVAILABLE' }, /which hosts/],
  ['a tool without such a role', 'no_role', {}, { code: 'CONSTRAINT_UNAVAILABLE' }, /read-only role/],
];
for (const [what, name, args] of held) scenes[taskOf(what)] = { calls: [{ tool: name, args }] };
for (const name of ['query', 'call', 'put', 'slow_read', 'slow_write', 'slow_prepare'])
  scenes[`only.${name}`] = { calls: [{ tool: name, args: {} }] };
scenes['rare'] = { calls: [1, 2].map((order) => ({ tool: 'rare', args: { order } })) };
for (const [fact, { yes, no }] of Object.entries(facts))
  Object.assign(scenes, { [`${fact}-yes`]: yes, [`${fact}-no`]: no });

function taskOf(what: string): string {
  return what.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

beforeAll(async () => {
  const entries = Object.entries(scenes).map(([attempt, { calls, usage }]) => ({
    attempt,
    from: 1,
    calls: calls.map(({ tool: name, args = {} }) => ({ tool: name, args })),
    ...(usage && { usage }),
  }));
  const files = policyFiles(
    rules(...factRules),
    rules(
      '{ id: not-here, when: contract.task.startsWith("denied-"), decision: deny }',
      '{ id: never, when: tool == "never", decision: deny, escalation: { approvers: [pia], expiresIn: 30m } }',
      '{ id: ask, when: tool == "ask", decision: require_approval, expiresIn: 1h }',
      ...limits,
      '{ id: rest, decision: allow }',
    ),
  );
  const principals = ['pia', 'ana', 'eva'].map((name) => ({ name, roles: [] }));
  const policy = createPolicy({ files, principals, tools: createRegistry(tools), singleUser: true });
  world = await activityWorld({ entries }, tools, {}, policy);
});
beforeEach(() => {
  ran = [];
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string) {
  const { by, contract = {}, revised, said } = scenes[task] ?? { calls: [] };
  if (revised) await world.attempt({ task, contract: { goal: 'Something else.' } });
  const names = [...tools.map(({ name }) => name), 'write_file'];
  const options = { task, contract: { tools: names, ...contract }, ...(by !== undefined && { by }) };
  const attempt = new AttemptDriver(await world.worker(), await world.attempt(options));
  if (said) {
    await insertMessage(world.pool, attempt.ref, { id: `more-${task}`, kind: 'say', body: { text: 'And this.' } });
    const { answer } = await attempt.record({ at: 'pause', state: 'WAITING_FOR_USER', reason: 'blocked' });
    expect(answer).toEqual({ kind: 'said', turn: 2 });
    attempt.turn = 2;
  }
  return { attempt, actions: await attempt.actions() };
}
async function actAll(task: string) {
  const { attempt, actions } = await begin(task);
  const answers = [];
  for (const action of actions) answers.push((await attempt.act(action)).answer);
  return { attempt, actions, answers, last: answers.at(-1) };
}
const told = async ({ ref }: AttemptDriver) => (await observations(world.pool, ref)).at(-1);
const denials = ({ ref }: AttemptDriver) => payloads(world.pool, ref, 'action_denied');

/** Somebody answers, and the wait takes it. */
async function say(attempt: AttemptDriver, kind: 'approve' | 'deny', by: string, { index }: PlannedAction) {
  const id = actionId(attempt.ref.id, attempt.step, index);
  await insertMessage(world.pool, attempt.ref, { id: `${by}-${id}`, kind, body: { actionId: id, by } });
  return attempt.record({ at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index });
}

describe('R5.1 a rule decides on the facts of the call', () => {
  test.each(Object.keys(facts))('%s', async (fact) => {
    const yes = await actAll(`${fact}-yes`);
    expect(yes.last).toEqual({ kind: 'denied', code: 'POLICY_DENIED' });
    expect(await denials(yes.attempt)).toMatchObject([{ rule: `by-${fact}`, code: 'POLICY_DENIED' }]);
    expect(await told(yes.attempt)).toMatchObject({ ok: false, text: expect.stringContaining(`By ${fact}.`) });

    const no = await actAll(`${fact}-no`);
    expect(no.last).toEqual({ kind: 'observed', ok: true });
    expect(await denials(no.attempt)).toEqual([]);
  });
});

describe('R5.2 a call is held to the limits that it is allowed under', () => {
  test.each(held)('%s', async (what, name, _args, answer, words) => {
    const { attempt, last } = await actAll(taskOf(what));
    expect(last).toMatchObject(answer);
    expect((await told(attempt))?.text).toMatch(words);
    expect(ran).toHaveLength('ok' in answer ? 1 : 0);
    if (!('ok' in answer)) expect(await denials(attempt)).toMatchObject([{ rule: name, ...answer }]);
  });

  test('the tool is handed the read-only role where the rule demands it, and only there', async () => {
    for (const name of ['query', 'call', 'put']) await actAll(`only.${name}`);
    expect(ran.map(({ tool: name, readOnlyRole }) => [name, readOnlyRole])).toEqual([
      ['query', true],
      ['call', true],
      ['put', false],
    ]);
  });

  test('the shortest time limit holds, of a read, of a send and of what is read before one', async () => {
    const read = await begin('only.slow_read');
    // What is told of a read is told after its last try.
    for (const action of read.actions) await read.attempt.act(action, { tryNumber: lastTry });
    expect((await told(read.attempt))?.text).toMatch(/did not end within 1000 ms/);
    const write = await actAll('only.slow_write');
    expect(write.last).toMatchObject({ kind: 'failed', failure: { code: 'TOOL_TIMEOUT' } });
    expect(await effectRows(world.pool, write.attempt.ref)).toMatchObject([{ phase: 'UNKNOWN' }]);
    const prepared = await actAll('only.slow_prepare');
    expect(prepared.last).toEqual({ kind: 'observed', ok: false });
    expect((await told(prepared.attempt))?.text).toMatch(/did not end within 1000 ms/);
    expect(ran).toEqual([]);
  });

  test('calls are counted over the hour', async () => {
    const { answers } = await actAll('rare');
    expect(answers).toEqual([
      { kind: 'observed', ok: true },
      { kind: 'denied', code: 'CONSTRAINT_VIOLATED' },
    ]);
    expect(ran).toHaveLength(1);
  });
});

test('R5.2 a denial with a way out is put before a person once the same call is asked for again', async () => {
  const { attempt, actions } = await begin('escalates');
  const [first, second, third, other] = actions;
  if (!first || !second || !third || !other) throw new Error('Four actions are needed.');
  expect((await attempt.act(first)).answer).toEqual({ kind: 'denied', code: 'POLICY_DENIED' });
  expect(await told(attempt)).toMatchObject({ text: expect.stringContaining('once more') });

  expect((await attempt.act(second)).answer).toMatchObject({ kind: 'needs_approval' });
  expect((await say(attempt, 'approve', 'ana', second)).named).toMatchObject([{ as: 'rejected' }]);
  expect((await say(attempt, 'approve', 'pia', second)).answer).toEqual({ kind: 'go' });
  expect((await attempt.act(second)).answer).toEqual({ kind: 'observed', ok: true });
  expect((await attempt.act(other)).answer).toEqual({ kind: 'denied', code: 'POLICY_DENIED' });
  expect(ran).toHaveLength(1);
});

test('R5.2 what a person said no to is not put before people again in the same attempt', async () => {
  const { attempt, actions } = await begin('asks');
  const [first, same, other] = actions;
  if (!first || !same || !other) throw new Error('Three actions are needed.');
  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'needs_approval' });
  expect((await say(attempt, 'deny', 'ana', first)).answer).toEqual({ kind: 'go' });
  expect((await attempt.act(first)).answer).toEqual({ kind: 'denied', code: 'APPROVAL_DENIED' });

  expect((await attempt.act(same)).answer).toEqual({ kind: 'denied', code: 'DENIED_BEFORE' });
  expect((await attempt.act(other)).answer).toMatchObject({ kind: 'needs_approval' });
  expect(ran).toEqual([]);
});

test('R5.3 that nobody answered in time is no denial: the same may be asked for again', async () => {
  const { attempt, actions } = await begin('asks');
  const [first, same] = actions;
  if (!first || !same) throw new Error('Two actions are needed.');
  const { answer } = await attempt.act(first);
  if (answer.kind !== 'needs_approval') throw new Error(`It was answered with ${answer.kind}.`);
  const now = answer.expiresAt;
  expect((await attempt.act(first, { now })).answer).toEqual({ kind: 'denied', code: 'APPROVAL_EXPIRED' });
  expect((await attempt.act(same, { now })).answer).toMatchObject({ kind: 'needs_approval' });
});

test('R5.3 a yes is for the tool as it was: another version of it is asked for again', async () => {
  const { attempt, actions } = await begin('asks');
  const [first] = actions;
  if (!first) throw new Error('An action is needed.');
  await attempt.act(first);
  expect((await say(attempt, 'approve', 'ana', first)).answer).toEqual({ kind: 'go' });

  const changed = tools.map((one) => (one.name === 'ask' ? { ...one, version: 'f'.repeat(16) } : one));
  const other = attempt.on({ ...attempt.worker, tools: createRegistry(changed) });
  expect((await other.act(first)).answer).toMatchObject({ kind: 'needs_approval' });
  const rows = await approvalRows(world.pool, attempt.ref);
  expect(rows.map(({ state }) => state)).toEqual(['voided', 'open']);
  expect(new Set(rows.map(({ binding }) => binding)).size).toBe(2);
  expect(ran).toEqual([]);
});

test('R5.1 who is forbidden an operation is not told what came of it either', async () => {
  expect((await actAll('keyed-first')).last).toEqual({ kind: 'observed', ok: true });
  const again = await actAll('keyed-again');
  expect((await told(again.attempt))?.text).toBe('outcome of keyed');

  for (const task of ['denied-same', 'denied-other']) {
    const { attempt, last } = await actAll(task);
    expect(last).toEqual({ kind: 'denied', code: 'POLICY_DENIED' });
    expect((await told(attempt))?.text).not.toContain('outcome');
  }
  expect(ran).toHaveLength(1);
});
