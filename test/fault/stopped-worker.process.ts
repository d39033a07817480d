import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { modelTries, observations, rowsOf, toolTries } from '../support/ledger-rows';

/** Longer than every lease and timeout that notices it. */
const stoppedMs = 7_000;
const steps = 30;
const entries = (tool: string) => [
  { from: 1, to: steps, calls: [{ tool, args: { n: '{step}', ms: 60 } }] },
  { from: steps + 1, text: 'Done.' },
];

describe.each([
  ['local', true],
  ['regular', false],
])('with %s calls', (_lane, quick) => {
  let world: AttemptWorld;
  beforeAll(async () => {
    const transcript = { entries: entries(quick ? 'put' : 'put_slowly'), latencyMs: 40 };
    world = await attemptWorld({ transcript, model: { quick } });
  });
  afterAll(() => world.close());

  const lost = (tries: readonly { outcome: string | null }[]) =>
    tries.filter(({ outcome }) => outcome === 'lost').length;
  const begun = (ref: AttemptRef) =>
    world.effects().filter(({ kind, key }) => kind === 'begin' && key.includes(ref.id));

  test('R4.10, M9 a worker stopped for seven seconds in a step and continued does nothing twice that was answered', async () => {
    const first = await world.startProcess();
    const ref = await world.start({ contract: { tools: ['put', 'put_slowly'] }, limits: { maxTokens: 10_000_000 } });
    await until(() => begun(ref).length >= 5, 'five steps');
    await world.startProcess();

    first.signal('SIGSTOP');
    await sleep(stoppedMs);
    first.signal('SIGCONT');

    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    await sleep(1_000); // what the old execution still does, it has done by now
    expect(await brokenInvariants(world.pool)).toEqual([]);
    expect(new Set(begun(ref).map(({ key }) => key)).size).toBe(steps);
    expect(begun(ref).length - steps).toBeLessThanOrEqual(lost(await toolTries(world.pool, ref)));
    expect(await observations(world.pool, ref)).toHaveLength(steps);
    const asked = world.model.requests().filter((request) => request.attempt === ref.id).length;
    expect(asked - steps - 1).toBeLessThanOrEqual(lost(await modelTries(world.pool, ref)));
    expect(await rowsOf(world.pool, ref, 'select 1 from steps where attempt = $1')).toHaveLength(steps + 1);
    // Besides the one step that was being made when the worker stopped, everything was done once.
    expect(begun(ref).length + asked).toBeLessThanOrEqual(2 * steps + 1 + 2);
  });
});
