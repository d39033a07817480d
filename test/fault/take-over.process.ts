import type { AttemptRef } from '../../src/protocol/ids';
import { failActivity } from '../../src/temporal/take-over';
import { takeOverFromDead } from '../../src/worker/take-over';
import { workerIdentity } from '../../src/worker/worker-identity';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { modelTries, rowsOf } from '../support/ledger-rows';

/** What a worker that starts tells Temporal of one that is dead (M9). */

/** Processes start and end; ms. */
const testMs = 120_000;
/** So long is a call under way that it is there to be ended, ms; longer than a worker's heartbeat takes. */
const answerMs = 2_500;

let world: AttemptWorld;
beforeAll(async () => {
  world = await attemptWorld({ transcript: { entries: [{ from: 1, text: 'Good day.', delayMs: answerMs }] } });
}, testMs);
afterAll(() => world.close(), testMs);

const start = (task: string) =>
  world.start({ task, snapshot: { models: [{ name: 'scripted', quick: false, timeoutMs: 10_000 }] } });
/** The number of the call that is under way. */
async function thinking(ref: AttemptRef): Promise<number> {
  await until(() => world.model.requests().some(({ attempt }) => attempt === ref.id), 'the model is asked');
  const open = 'select n from executions where attempt = $1 and finished_at is null';
  const [row] = await rowsOf<{ n: number }>(world.pool, ref, open);
  if (!row) throw new Error('Nothing is under way.');
  return row.n;
}
const pending = async (ref: AttemptRef) => (await world.handle(ref).describe()).raw.pendingActivities?.length ?? 0;
const outcomes = async (ref: AttemptRef) => (await modelTries(world.pool, ref)).map(({ outcome }) => outcome);

test(
  'M9 a call of a dead worker is ended at once, and not when its heartbeat is missed; R6.2 one try is lost',
  async () => {
    const worker = await world.startProcess();
    const ref = await start('dead');
    await thinking(ref);
    await worker.kill();
    expect(await pending(ref)).toBe(1);
    expect(await takeOverFromDead(world.pool, world.client)).toBe(1);
    expect(await pending(ref)).toBe(0);

    const next = await world.startProcess();
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await outcomes(ref)).toEqual(['lost', 'answered']);
    await next.kill();
  },
  testMs,
);

test(
  'M9 what is told of a dead worker comes late: the same call of its successor goes on, and no try is lost by it',
  async () => {
    const successor = await world.startProcess();
    const ref = await start('late');
    const n = await thinking(ref);
    const heldBy = workerIdentity({ pid: successor.pid, startedAt: 'before it' });
    await failActivity(world.client, { tenant: ref.tenant, attemptId: ref.id, n, heldBy });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await outcomes(ref)).toEqual(['answered']);
    await successor.kill();
  },
  testMs,
);
