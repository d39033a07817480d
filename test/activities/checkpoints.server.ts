import type { ActivityDeps } from '../../src/activities/deps';
import type { ModelPort } from '../../src/activities/ports';
import { readCheckpoint, type StoredCheckpoint } from '../../src/domain/checkpoint/read-checkpoint';
import { insertMessage } from '../../src/ledger/inbox';
import { checkpointsQuery } from '../../src/ledger/standing';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import { createRegistry } from '../../src/tools/registry';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

const sent: string[] = [];
const refund = tool({
  name: 'refund',
  effect: 'deduplicated',
  run: ({ order }) => {
    sent.push(String(order));
    return ok(`refunded ${order}`);
  },
});
const look = tool({ name: 'look', run: () => ok('seen') });
/** What is asked about: refunds of the task `asks`. */
const policy = testPolicy((facts) =>
  facts.contract.task === 'asks' ? writesAsk()(facts) : { kind: 'allow', rule: 'all' },
);

let world: ActivityWorld;
beforeAll(async () => {
  const plan = { steps: [{ id: 'pay', title: 'Pay it back', status: 'doing' }] };
  world = await activityWorld(
    {
      attempts: {
        planned: { 1: { calls: [{ tool: 'update_plan', args: plan }] }, 2: { text: 'And now?' } },
      },
      entries: [{ from: 1, calls: [{ tool: 'refund', args: { order: '{step}' } }] }],
    },
    [refund, look],
    {},
    policy,
  );
});
afterAll(() => world.close());
beforeEach(() => sent.splice(0));
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const pause = { at: 'pause', state: 'WAITING_FOR_USER', reason: 'blocked' } as const;
const suspend = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;

async function begin(task: string, contract = {}): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task, contract }));
}
async function checkpoints(attempt: AttemptDriver) {
  const rows = await rowsOf<StoredCheckpoint>(world.pool, attempt.ref, `${checkpointsQuery} order by c.n`);
  return rows.map((row) => {
    const read = readCheckpoint(row);
    if (!read.ok) throw new Error(read.why);
    return { n: row.n, ...read.checkpoint };
  });
}
const changes = async ({ ref }: AttemptDriver) =>
  (
    await rowsOf<{ payload: object }>(
      world.pool,
      ref,
      "select payload from events where attempt = $1 and type = 'version_changed' order by sequence",
    )
  ).map(({ payload }) => payload);

/** Another worker, with something else on it. */
async function elsewhere(attempt: AttemptDriver, other: Partial<ActivityDeps>): Promise<AttemptDriver> {
  return attempt.on({ ...(await world.worker()), ...other });
}
let told = 0;
async function resume(attempt: AttemptDriver) {
  const id = `resume-${++told}`;
  await insertMessage(world.pool, attempt.ref, { id, kind: 'resume', body: { by: 'ana' } });
  return (await attempt.record(suspend, { wakes: [id] })).answer;
}
const newVersion = (of: typeof refund) => ({ ...of, version: 'fedcba9876543210' });

test('R12.1 a pause leaves all that the attempt stands on, as one document that can be read', async () => {
  const attempt = await begin('planned', {
    kind: 'code_change',
    acceptance: [{ id: 'tests', check: 'command', run: 'true' }],
  });
  await attempt.stepWithOneAction();
  await attempt.think();
  await attempt.record(pause);

  expect(await checkpoints(attempt)).toEqual([
    {
      n: 4,
      v: 3,
      at: 'pause',
      thread: expect.any(Number),
      turn: 1,
      step: 2,
      state: 'WAITING_FOR_USER',
      reason: 'blocked',
      plan: { steps: [{ id: 'pay', title: 'Pay it back', status: 'doing' }] },
      unmet: ['tests'],
      context: { projection: 0, contract: 1, input: 1 },
      versions: {
        code: 'code 1',
        policy: policy.version,
        environment: null,
        models: { scripted: expect.stringMatching(/^openai-compatible\/scripted [0-9a-f]{8}$/) },
        tools: expect.objectContaining({ refund: refund.version, look: look.version }),
      },
      effects: { committed: [], more: false, uncertain: [] },
      elsewhere: { jobs: [], children: [] },
      budget: {
        used: expect.objectContaining({ turns: 1, toolCalls: 1 }),
        limits: expect.objectContaining({ maxTurns: 30, maxRepairs: 3 }),
      },
      base: null,
      snapshot: null,
    },
  ]);
});

test('R12.1 a write outside has a checkpoint in the transaction that claims it, with what was done before it', async () => {
  const attempt = await begin('writes');
  await attempt.stepWithOneAction();
  await attempt.stepWithOneAction();
  await attempt.record(pause);

  expect(await checkpoints(attempt)).toMatchObject([
    { n: 2, at: 'effect', step: 1, effects: { committed: [], uncertain: [] } },
    { n: 4, at: 'effect', step: 2, effects: { more: true, uncertain: [] }, budget: { used: { toolCalls: 2 } } },
    { n: 5, at: 'pause', step: 2, effects: { committed: ['s2.a0', 's1.a0'], more: false, uncertain: [] } },
  ]);
});

test('R12.1 a claim that differs from the whole checkpoint before it in little leaves a fraction of it', async () => {
  const attempt = await begin('little');
  for (let step = 1; step <= 3; step += 1) await attempt.stepWithOneAction();

  const rows = await rowsOf<{ like: string | null; bytes: number }>(
    world.pool,
    attempt.ref,
    "select body ->> 'like' as like, pg_column_size(body) as bytes from checkpoints where attempt = $1 order by n",
  );
  expect(rows.map(({ like }) => like)).toEqual([null, '2', '2']);
  expect(rows[0]?.bytes).toBeGreaterThan(700);
  expect(rows[2]?.bytes).toBeLessThan(250);
});

test('R12.1 of many effects a checkpoint names the newest, and says that there are more', async () => {
  const attempt = await begin('many');
  for (let step = 1; step <= 18; step += 1) await attempt.stepWithOneAction();
  await attempt.record(pause);

  const [last] = (await checkpoints(attempt)).slice(-1);
  expect(last?.effects).toMatchObject({ more: true, uncertain: [] });
  expect(last?.effects.committed).toHaveLength(16);
  expect(last?.effects.committed[0]).toBe('s18.a0');
});

test('R12.1 a request for approval has a checkpoint in its transaction, and the pause after it has its own', async () => {
  const { attempt, action } = await asking();
  await wait(attempt, action);

  expect(await checkpoints(attempt)).toMatchObject([
    { n: 2, at: 'approval', state: 'CREATED', reason: null },
    { n: 3, at: 'pause', state: 'WAITING_FOR_APPROVAL', reason: 'paused_for_approval' },
  ]);
});

async function asking() {
  const attempt = await begin('asks');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  expect((await attempt.act(action)).answer).toMatchObject({ kind: 'needs_approval' });
  return { attempt, action };
}
const wait = (attempt: AttemptDriver, { index }: PlannedAction, beside = {}) =>
  attempt.record({ at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index }, beside);

async function suspended(task: string, contract = {}) {
  const attempt = await begin(task, contract);
  await attempt.stepWithOneAction();
  await attempt.record(suspend);
  return attempt;
}

test('R12.2 an attempt that is resumed beside the same versions says nothing of them', async () => {
  const attempt = await suspended('same');
  expect(await resume(attempt)).toEqual({ kind: 'resume' });
  expect(await changes(attempt)).toEqual([]);
});

test('R12.2 each version that is another at resume is an event with what follows, once', async () => {
  const attempt = await suspended('moved');
  const models: ModelPort = {
    ...attempt.worker.models,
    profile: (name) => {
      const profile = attempt.worker.models.profile(name);
      return profile && { ...profile, version: 'other/model 1' };
    },
  };
  const later = await elsewhere(attempt, {
    models,
    tools: createRegistry([newVersion(refund), look]),
    policy: { ...policy, version: 'another policy 1' },
    versions: { code: 'code 2', environment: 'environment 2' },
  });
  expect(await resume(later)).toEqual({ kind: 'resume' });

  expect(await changes(attempt)).toEqual([
    {
      part: 'model',
      name: 'scripted',
      from: expect.stringContaining('scripted'),
      to: 'other/model 1',
      handled: 'go_on',
    },
    { part: 'tool', name: 'refund', from: refund.version, to: 'fedcba9876543210', handled: 'approve_again' },
    { part: 'policy', from: policy.version, to: 'another policy 1', handled: 'approve_again' },
    { part: 'code', from: 'code 1', to: 'code 2', handled: 'go_on' },
  ]);
  // The pause after it is entered beside the new ones.
  await later.record(suspend);
  expect(await resume(later)).toEqual({ kind: 'resume' });
  expect(await changes(attempt)).toHaveLength(4);
});

test('R12.2 another environment of commands is told to the model, which is to look again', async () => {
  const attempt = await suspended('surroundings');
  // The environment counts where an attempt has files.
  await world.pool.query(
    `update attempts set start = jsonb_set(start, '{snapshot,hasWorkspace}', 'true') where key = $1`,
    [attempt.ref.key],
  );
  expect(await resume(attempt)).toEqual({ kind: 'resume' });
  await attempt.record(suspend);
  const later = await elsewhere(attempt, { versions: { code: 'code 1', environment: 'environment 2' } });
  expect(await resume(later)).toEqual({ kind: 'resume' });

  expect(await changes(attempt)).toEqual([
    { part: 'environment', from: 'environment 1', to: 'environment 2', handled: 'observe_again' },
  ]);
  await later.think();
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain(
    'changed from \\"environment 1\\" to \\"environment 2\\"',
  );
});

test('R12.2 a model that was removed leaves the next of its order; where none is left, that is said', async () => {
  const attempt = await suspended('modelless');
  const none: ModelPort = { ...attempt.worker.models, profile: () => undefined };
  const later = await elsewhere(attempt, { models: none });
  expect(await resume(later)).toEqual({ kind: 'resume' });
  expect(await changes(attempt)).toMatchObject([{ part: 'model', name: 'scripted', to: null, handled: 'refuse' }]);
  expect((await later.think()).answer).toMatchObject({
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'MODEL_NOT_CONFIGURED' },
  });
});

test('R12.2 a tool that was removed while its call waited for approval is refused, and so is every call of it', async () => {
  const { attempt, action } = await asking();
  await wait(attempt, action);
  const [asked] = await approvalRows(world.pool, attempt.ref);
  const later = await elsewhere(attempt, { tools: createRegistry([look]) });
  await approve(attempt, asked?.binding);
  expect((await wait(later, action, { wakes: ['yes'] })).answer).toEqual({ kind: 'go' });

  expect(await changes(attempt)).toMatchObject([{ part: 'tool', name: 'refund', to: null, handled: 'refuse' }]);
  expect((await later.act(action)).answer).toEqual({ kind: 'observed', ok: false });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code: 'TOOL_NOT_FOUND' }]);
  expect(sent).toEqual([]);
});

test('R12.2, R5.3 an approval that was given for another version of the tool lets nothing happen: it is asked for anew', async () => {
  const { attempt, action } = await asking();
  await wait(attempt, action);
  const [asked] = await approvalRows(world.pool, attempt.ref);
  const later = await elsewhere(attempt, { tools: createRegistry([newVersion(refund), look]) });
  await approve(attempt, asked?.binding);
  expect((await wait(later, action, { wakes: ['yes'] })).answer).toEqual({ kind: 'go' });
  expect(await changes(attempt)).toMatchObject([{ part: 'tool', name: 'refund', handled: 'approve_again' }]);

  expect((await later.act(action)).answer).toMatchObject({ kind: 'needs_approval' });
  expect(await approvalRows(world.pool, attempt.ref)).toMatchObject([
    { ordinal: 1, state: 'voided' },
    { ordinal: 2, state: 'open' },
  ]);
  expect(sent).toEqual([]);
});

async function approve({ ref, step }: AttemptDriver, binding = '') {
  const body = { actionId: actionId(ref.id, step, 0), by: 'ana', binding };
  await insertMessage(world.pool, ref, { id: 'yes', kind: 'approve', body });
}

/** The newest checkpoint as another Holdfast might have left it; the application may not change one, so it is written anew. */
async function leave({ ref }: AttemptDriver, body: object): Promise<void> {
  await world.pool.query('insert into checkpoints (attempt, n, body) values ($1, 1000, $2)', [ref.key, body]);
}

test('R12.2 an attempt that a newer Holdfast paused is not resumed by an older one, which says why; the newer one resumes it', async () => {
  const attempt = await suspended('newer');
  await leave(attempt, { v: 4, versions: { soul: 'x' } });
  expect(await resume(attempt)).toEqual({ kind: 'none' });
  expect(await changes(attempt)).toEqual([{ part: 'checkpoint', from: '4', to: '3', handled: 'refuse' }]);
  expect(await rowsOf(world.pool, attempt.ref, 'select state, reason from attempts where key = $1')).toEqual([
    { state: 'SUSPENDED', reason: 'suspended' },
  ]);
});

test('R12.2 a checkpoint of the first version is understood: what it did not note has not changed', async () => {
  const attempt = await suspended('older');
  await leave(attempt, {
    v: 1,
    state: 'SUSPENDED',
    reason: 'suspended',
    turn: 1,
    step: 1,
    heard: 1,
    taskState: null,
    unmet: [],
    account: { turns: 1, toolCalls: 1, repairs: 0, tokens: 10, costMicroUsd: 1, runtimeMs: 5 },
    limits: { maxTurns: 30 },
    baseCommit: null,
    snapshot: null,
    effects: { committed: 1, uncertain: [] },
    models: ['scripted', 'gone'],
    flow: 1,
    versions: { holdfast: 'code 0' },
  });
  // Whoever wrote that noted no versions by themselves.
  await world.pool.query('update attempts set versions_noted = null where key = $1', [attempt.ref.key]);
  expect(await resume(attempt)).toEqual({ kind: 'resume' });
  expect(await changes(attempt)).toEqual([
    { part: 'model', name: 'gone', from: null, to: null, handled: 'go_on' },
    { part: 'code', from: 'code 0', to: 'code 1', handled: 'go_on' },
  ]);
});
