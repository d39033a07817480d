import { verifyLedger } from '../../src/ledger/verify/verify-ledger';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { observations, toolTries } from '../support/ledger-rows';
import { type ReadsServer, startReadsServer } from '../support/reads-server';

let world: AttemptWorld;
let outside: ReadsServer;
beforeAll(async () => {
  outside = await startReadsServer((path) => path === '/never');
  const calls = ['/first', '/never', '/last'].map((path) => ({ tool: 'get', args: { url: `${outside.url}${path}` } }));
  world = await attemptWorld({ transcript: { steps: { 1: { calls }, 2: { text: 'Done.' } } } });
});
afterAll(async () => {
  await world.close();
  await outside.stop();
});

const asked = (path: string) => outside.asked.filter((one) => one === path).length;

test('R16.3 R14.3 parallel tools, one done and one timed out, the worker killed in between: what was done is not done again, and the model sees both truths', async () => {
  const first = await world.startProcess();
  const ref = await world.start({
    contract: { tools: ['get'] },
    snapshot: { flow: 2, parallelActionsMax: 8, models: [{ name: 'scripted', quick: true, timeoutMs: 10_000 }] },
  });
  await until(() => asked('/never') === 1, 'the one that never answers is under way');
  await until(async () => (await observations(world.pool, ref)).length === 2, 'the others are done');
  await first.kill();
  // Between two tries of the one that times out, so that its wait is lost with the process too.
  const second = await world.startProcess();
  await until(
    async () => (await toolTries(world.pool, ref)).some(({ outcome }) => outcome === 'transient'),
    'it has timed out',
  );
  await second.kill();
  await world.startProcess();
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });

  expect([asked('/first'), asked('/last')]).toEqual([1, 1]);
  const tries = await toolTries(world.pool, ref);
  expect(tries.filter(({ index }) => index !== 1).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  expect(tries.filter(({ index }) => index === 1).map(({ outcome }) => outcome)).toContain('lost');
  const seen = (await observations(world.pool, ref)).sort((a, b) => a.index - b.index);
  expect(seen.map(({ ok, code }) => [ok, code])).toEqual([
    [true, undefined],
    [false, 'TOOL_TIMEOUT'],
    [true, undefined],
  ]);
  const request = world.model.requests().at(-1)?.body() as { messages: { role: string; content: string }[] };
  const shown = request.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(shown).toEqual([
    expect.stringContaining('Read /first.'),
    expect.stringContaining('TOOL_TIMEOUT'),
    expect.stringContaining('Read /last.'),
  ]);
  expect(await verifyLedger(world.pool)).toEqual([]);
}, 180_000);
