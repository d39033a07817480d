import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, modelTries, rowsOf, toolTries } from '../support/ledger-rows';
import { TcpProxy } from '../support/tcp-proxy';
import { ok, tool } from '../support/test-tools';

/** Longer than a lease, a workflow task and a heartbeat. */
const outageMs = 4_000;
const steps = 16;
const entries = [
  { from: 1, to: steps, calls: [{ tool: 'put', args: { n: '{step}' } }] },
  { from: steps + 1, text: 'Done.' },
];

describe.each([
  ['local', true],
  ['regular', false],
])('with %s calls', (_lane, quick) => {
  let world: AttemptWorld;
  let database: TcpProxy;
  let temporal: TcpProxy;
  const runs: string[] = [];
  beforeAll(async () => {
    const put = tool({
      name: 'put',
      effect: 'idempotent',
      quick,
      run: (_args, { idempotencyKey }) => {
        runs.push(idempotencyKey);
        return ok('Put.');
      },
    });
    world = await attemptWorld({ transcript: { entries, latencyMs: 20 }, tools: [put], model: { quick } });
    const url = new URL(world.ways.databaseUrl);
    database = await TcpProxy.to(url.host);
    temporal = await TcpProxy.to(world.ways.temporalAddress);
    url.host = `127.0.0.1:${database.port}`;
    await world.startWorker({ databaseUrl: url.href, temporalAddress: `127.0.0.1:${temporal.port}` });
  });
  afterAll(async () => {
    await world.close();
    await database.down();
    await temporal.down();
  });
  beforeEach(() => runs.splice(0));
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

  /** An attempt that has made some steps and is in the middle of the next. */
  async function running(): Promise<AttemptRef> {
    const ref = await world.start({});
    await until(() => runs.length >= 4, 'four steps');
    return ref;
  }
  async function expectWhole(ref: AttemptRef): Promise<void> {
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(new Set(runs).size).toBe(steps);
    expect(await rowsOf(world.pool, ref, 'select step from steps where attempt = $1')).toHaveLength(steps + 1);
    expect(await eventTypes(world.pool, ref)).not.toContain('gave_up');
    // What is done twice was lost before, and says so.
    const lost = (tries: { outcome: string | null }[]) => tries.filter(({ outcome }) => outcome === 'lost').length;
    expect(runs.length - steps).toBeLessThanOrEqual(lost(await toolTries(world.pool, ref)));
    const asked = world.model.requests().filter((request) => request.attempt === ref.id).length;
    expect(asked - steps - 1).toBeLessThanOrEqual(lost(await modelTries(world.pool, ref)));
  }

  test('M2 a database that refuses for four seconds is waited for', async () => {
    const ref = await running();
    await database.down();
    await sleep(outageMs);
    await database.up();
    await expectWhole(ref);
  });

  test('R4.10 a Temporal server that is away for four seconds loses tasks, and their second decision follows the first', async () => {
    const ref = await running();
    await temporal.down();
    await sleep(outageMs);
    await temporal.up();
    await expectWhole(ref);
  });

  if (!quick) return; // what follows differs in nothing that the lane decides

  test('M2 connections to the database that are cut again and again cost no step', async () => {
    const ref = await running();
    for (let cut = 0; cut < 8; cut += 1) {
      database.cut();
      await sleep(90 + 37 * cut);
    }
    await expectWhole(ref);
  });

  test('M9 a database that falls silent for four seconds ends the lease, and what was done stays done', async () => {
    const ref = await running();
    database.hush();
    await sleep(outageMs);
    database.speak();
    await expectWhole(ref);
  });
});
