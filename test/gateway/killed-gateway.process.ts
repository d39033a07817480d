import { setTimeout as sleep } from 'node:timers/promises';
import { putTool } from '../../bench/lib/put-tool';
import { readEvents } from '../../bench/lib/stream-reader';
import { putTranscript } from '../../bench/lib/transcript';
import { freePort } from '../../src/embedded/process/free-port';
import { makeToken } from '../../src/ledger/tokens';
import { commandLine } from '../cli/support/command-line';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { seeded } from '../support/seeded';
import { tempFolder } from '../support/temp-folder';

const steps = 60;
const readers = 12;
const cuts = 8;
const kills = 3;
const task = 'read';

let world: AttemptWorld;
let gateway: ReturnType<ReturnType<typeof commandLine>['start']> | undefined;
beforeAll(async () => {
  world = await attemptWorld({
    transcript: putTranscript([{ task, steps, slow: [{ from: 1, to: steps, delayMs: 100 }] }]),
    tools: [putTool(false)],
  });
});
afterAll(async () => {
  gateway?.child.kill('SIGKILL'); // its gateway ends with it
  await world?.close();
});

test('R16.9 the gateway is killed again and again under readers that are cut off too: each gets every event once, in order', async () => {
  const { databaseUrl, temporalAddress, namespace } = world.ways;
  const address = `127.0.0.1:${await freePort()}`;
  const { start } = commandLine(tempFolder('holdfast-gateway-'), {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    HOLDFAST_GATEWAY: address,
  });
  const serve = async (): Promise<number> => {
    const serving = start('gateway', '--json');
    gateway = serving;
    const { pid, url } = JSON.parse(await serving.output('"url"').then(() => serving.output('}')));
    expect(url).toBe(`http://${address}`);
    return pid;
  };
  let pid = await serve();
  const expiresAt = new Date(Date.now() + 60 * 60_000);
  const { token } = await makeToken(world.pool, {
    ...{ tenant: 'default', principal: 'ana', roles: ['auditor'], madeBy: 'test', expiresAt },
  });
  await world.startWorker();
  const ref = await world.start({
    task,
    limits: { maxToolCalls: 1_000, maxTokens: 10_000_000, maxCostMicroUsd: 100_000_000, maxTurns: 1_000 },
  });
  const url = `http://${address}/v1/attempts/${ref.id}/events`;
  const random = seeded(7);
  const reading = Promise.all(Array.from({ length: readers }, () => readEvents({ url, token, cuts, random })));
  reading.catch(() => undefined);
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(700);
    process.kill(pid, 'SIGKILL');
    expect(await gateway?.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('SIGKILL') });
    pid = await serve();
  }

  const read = await reading;
  const stored = (await world.events(ref)).map((_, index) => index + 1);
  expect(stored.length).toBeGreaterThan(steps);
  for (const { sequences } of read) expect(sequences).toEqual(stored);
  expect(read.reduce((sum, one) => sum + one.cuts, 0)).toBe(readers * cuts);
});
