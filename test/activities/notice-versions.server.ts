import type { ActivityDeps } from '../../src/activities/deps';
import type { ModelPort } from '../../src/activities/ports';
import { createRegistry } from '../../src/tools/registry';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';
import { testVersions } from '../support/test-versions';

/** Other versions than before, between two steps: on the worker that took over, or in the next run (R12.2). */

const look = tool({ name: 'look', run: () => ok('seen') });
const other = tool({ name: 'other', run: () => ok('seen') });
const policy = testPolicy();
let world: ActivityWorld;
beforeAll(async () => {
  const calls = [
    { tool: 'look', args: { n: '{#step}' } },
    { tool: 'other', args: { n: '{#step}' } },
  ];
  world = await activityWorld({ entries: [{ from: 1, calls }] }, [look, other], {}, policy);
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string): Promise<AttemptDriver> {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  // The environment counts where an attempt has files.
  await world.pool.query(
    `update attempts set start = jsonb_set(start, '{snapshot,hasWorkspace}', 'true') where key = $1`,
    [attempt.ref.key],
  );
  return attempt;
}
const on = async (attempt: AttemptDriver, change: Partial<ActivityDeps>) =>
  attempt.on({ ...(await world.worker()), ...change });
const changes = ({ ref }: AttemptDriver) => payloads(world.pool, ref, 'version_changed');
const lastRequest = () => JSON.stringify(world.model.requests().at(-1)?.body());

async function step(attempt: AttemptDriver): Promise<void> {
  for (const action of await attempt.actions()) expect((await attempt.act(action)).answer).toMatchObject({ ok: true });
}

test('R12.2 what is another on the worker that takes over is told with its next call, once each, and handled as the table says', async () => {
  const attempt = await begin('over');
  await step(attempt);
  expect(await changes(attempt)).toEqual([]);

  const { models } = attempt.worker;
  const renamed: ModelPort = {
    profile: (name) => {
      const profile = models.profile(name);
      return profile && { ...profile, version: 'another model' };
    },
    call: (...args) => models.call(...args),
    estimate: (...args) => models.estimate(...args),
  };
  const later = await on(attempt, {
    models: renamed,
    tools: createRegistry([{ ...look, version: 'fedcba9876543210' }]),
    policy: { ...policy, version: 'another policy' },
    versions: { code: 'code 2', environment: 'environment 2' },
  });
  const actions = await later.actions();
  const told = [
    { part: 'model', name: 'scripted', to: 'another model', handled: 'go_on' },
    { part: 'tool', name: 'look', from: look.version, to: 'fedcba9876543210', handled: 'approve_again' },
    { part: 'tool', name: 'other', from: other.version, to: null, handled: 'refuse' },
    { part: 'policy', from: policy.version, to: 'another policy', handled: 'approve_again' },
    { part: 'environment', from: 'environment 1', to: 'environment 2', handled: 'observe_again' },
    { part: 'code', from: 'code 1', to: 'code 2', handled: 'go_on' },
  ];
  expect(await changes(attempt)).toMatchObject(told);
  // The request that was sent with it says so, and a call of the tool that is gone is refused.
  expect(lastRequest()).toContain('changed from \\"environment 1\\" to \\"environment 2\\"');
  const [first, second] = actions;
  expect(first && (await later.act(first)).answer).toMatchObject({ kind: 'observed', ok: true });
  expect(second && (await later.act(second)).answer).toMatchObject({ kind: 'observed', ok: false });
  await later.think();
  expect(await changes(attempt)).toHaveLength(told.length);
});

test('R12.2 M1 a call that is lost and begun again on another worker tells of it once, and its answer is the same', async () => {
  const attempt = await begin('lost');
  const [first] = await attempt.actions();
  if (!first) throw new Error('No action.');
  const later = await on(attempt, { versions: { ...testVersions, code: 'code 2' } });
  const answers = await Promise.all([later.act(first), (await on(later, {})).actRepeated(first)]);
  expect(answers[1]).toEqual(answers[0]);
  expect(await changes(attempt)).toMatchObject([{ part: 'code', from: 'code 1', to: 'code 2' }]);
});

test('R12.2 a change that was noticed between steps is no change when the next pause is left, and one back is another', async () => {
  const attempt = await begin('back');
  await step(attempt);
  const later = await on(attempt, { versions: { ...testVersions, code: 'code 2' } });
  await step(later);
  const suspend = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;
  await later.record(suspend);
  const resume = { id: 'go', kind: 'resume', body: { by: 'ana' } } as const;
  expect((await later.record(suspend, { messages: [resume] })).answer).toEqual({ kind: 'resume' });
  await step(later);
  expect(await changes(attempt)).toHaveLength(1);

  await step(await on(later, { versions: testVersions }));
  expect(await changes(attempt)).toMatchObject([
    { from: 'code 1', to: 'code 2' },
    { from: 'code 2', to: 'code 1' },
  ]);
});
