import type { LoggedRequest } from '../../src/models/scripted/scripted-model';
import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { killAtRandom } from '../support/kill-at-random';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, modelTries, observations, rowsOf, toolTries } from '../support/ledger-rows';

const kills = 8;
const seed = 1;
/** More steps than the kills leave time for, so that each meets an attempt at work. */
const steps = 20 + 4 * kills;
/** Also where a kill costs the longest recovery, ms. */
const testMs = 120_000 + kills * 20_000;

/** One attempt for each lane, and one whose tools are regular and whose model is not. */
const tasks = ['all-local', 'all-regular', 'mixed'] as const;
const toolOf = { 'all-local': 'put', 'all-regular': 'put_slowly', mixed: 'put_slowly' } as const;

let world: AttemptWorld;
/** Every request that the model got; its own log forgets old ones. */
const asked = new Set<LoggedRequest>();
let watch: NodeJS.Timeout;
beforeAll(async () => {
  const entries = tasks.flatMap((task) => [
    { attempt: task, from: 1, to: steps, calls: [{ tool: toolOf[task], args: { n: '{step}', ms: 25 } }] },
    { attempt: task, from: steps + 1, text: 'Done.' },
  ]);
  world = await attemptWorld({ transcript: { entries, latencyMs: 15 } });
  watch = setInterval(noteRequests, 100);
});
afterAll(async () => {
  clearInterval(watch);
  await world.close();
});

test(
  `R4.10, R6.2 workers killed ${kills} times at random moments (seed ${seed}): nothing lost, nothing done twice that was answered`,
  async () => {
    const refs = await Promise.all(tasks.map((task) => start(task)));
    await killAtRandom(world, { kills, seed });

    for (const ref of refs) {
      expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
      noteRequests(); // the last ones came after the last look
      await expectOnce(ref);
    }
    expect(await brokenInvariants(world.pool)).toEqual([]);
  },
  testMs,
);

function noteRequests(): void {
  for (const request of world.model.requests()) asked.add(request);
}

function start(task: (typeof tasks)[number]): Promise<AttemptRef> {
  return world.start({
    task,
    contract: { tools: [toolOf[task]] },
    limits: { maxTokens: 100_000_000, maxToolCalls: 10_000, maxRuntimeMs: 3_600_000 },
    snapshot: { models: [{ name: 'scripted', quick: task !== 'all-regular', timeoutMs: 10_000 }], stepsPerRun: 15 },
  });
}

/** An execution may have begun more often than it was answered, and each time but the last is in the ledger as lost. */
async function expectOnce(ref: AttemptRef): Promise<void> {
  const tools = await toolTries(world.pool, ref);
  const begun = world.effects().filter(({ kind, key }) => kind === 'begin' && key.startsWith(`default/${ref.id}/`));
  expect(new Set(begun.map(({ key }) => key)).size).toBe(steps);
  expect(begun.length).toBeLessThanOrEqual(tools.length);
  expect(tools.filter(({ outcome }) => outcome === 'ok')).toHaveLength(steps);
  expect(await observations(world.pool, ref)).toHaveLength(steps);

  const models = await modelTries(world.pool, ref);
  const requests = [...asked].filter((request) => request.attempt === ref.id);
  expect(new Set(requests.map(({ step }) => step)).size).toBe(steps + 1);
  expect(requests.length).toBeLessThanOrEqual(models.length);
  expect(models.filter(({ outcome }) => outcome === 'answered')).toHaveLength(steps + 1);
  for (const { outcome, usage, reserved } of models) if (outcome === 'lost') expect(usage).toEqual(reserved);

  expect(await rowsOf(world.pool, ref, 'select 1 from steps where attempt = $1')).toHaveLength(steps + 1);
  expect(await eventTypes(world.pool, ref)).not.toContain('gave_up');
}
