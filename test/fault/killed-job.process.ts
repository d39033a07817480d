import { join } from 'node:path';
import { type RunnerProcess, startRunner } from '../examples/jobs/runner';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';

/** Processes start and end, and jobs take seconds; ms. */
const testMs = 180_000;
const jobMs = 4_000;

let world: AttemptWorld;
let runner: RunnerProcess;
const data = tempFolder('holdfast-runner-');
beforeAll(async () => {
  const call = (kind: string) => ({ tool: 'run_report', args: { kind, ms: jobMs } });
  const attempts = {
    killed: { 1: { calls: [call('sales')] }, 2: { text: 'It is there.' } },
    endless: { 1: { calls: [call('endless')] }, 2: { text: 'Never.' } },
  };
  world = await attemptWorld({ transcript: { attempts } });
  runner = await startRunner({ data });
}, testMs);
afterAll(async () => {
  await world.close();
  await runner.kill();
}, testMs);
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const worker = () =>
  world.startProcess({
    modules: [join(__dirname, '../../examples/jobs/tools.ts')],
    env: { JOB_RUNNER_URL: runner.url },
  });
const jobsOf = async (kind: string) => (await runner.jobs()).filter((job) => job.kind === kind);

test(
  'R15.2 a job is submitted once, whoever is killed while it runs: worker and runner; the model sees what it came to',
  async () => {
    const first = await worker();
    const ref = await world.start({ task: 'killed', contract: { tools: ['run_report'] } });
    await world.until(ref, 'WAITING_FOR_EFFECT');
    await first.kill();
    const { port } = new URL(runner.url);
    await runner.kill();
    await worker();
    runner = await startRunner({ data, port: Number(port) });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await observations(world.pool, ref)).toMatchObject([
      { ok: true, text: `sales: ${jobMs} ms of work are done` },
    ]);
    expect(await jobsOf('sales')).toMatchObject([{ state: 'done' }]);
  },
  testMs,
);

test(
  'R11.1 R11.3 R15.2 a worker that is killed while a cancel stops its job leaves that to the next: the runner has stopped it before the attempt is CANCELLED',
  async () => {
    const first = await worker();
    const ref = await world.start({ task: 'endless', contract: { tools: ['run_report'] } });
    await world.until(ref, 'WAITING_FOR_EFFECT');
    await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
    await first.kill();
    await worker();
    expect(await world.result(ref)).toMatchObject({ state: 'CANCELLED' });
    expect(await jobsOf('endless')).toMatchObject([{ state: 'stopped' }]);
    await until(async () => (await world.events(ref)).some(({ type }) => type === 'job_ended'), 'the job ended');
  },
  testMs,
);
