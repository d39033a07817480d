import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { temporal } from '@temporalio/proto';
import type { Worker } from '@temporalio/worker';
import type { Deployment } from '../../src/config/deployment';
import { findProgram } from '../../src/embedded/programs/find-program';
import { temporalCli } from '../../src/embedded/programs/server-programs';
import type { CallAnswers } from '../../src/protocol/calls';
import { workerVersions } from '../../src/temporal/worker-versions';
import { until } from '../support/gate';
import { freshTaskQueue, testStack } from '../support/stack';
import { takeNewRuns } from '../support/take-new-runs';
import { moves } from './support/decide';
import type { FakeLedger } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { type Handle, Lab } from './support/lab';

let lab: Lab;
const running: { worker: Worker; done: Promise<void> }[] = [];
beforeAll(async () => {
  lab = await Lab.open((await testStack()).temporalAddress);
});
afterAll(async () => {
  for (const { worker, done } of running) {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await done;
  }
  await lab.close();
});

const { PINNED_OVERRIDE_BEHAVIOR_PINNED } = temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior;

type Act = CallAnswers['act'];
const models = [{ name: 'main', quick: true, timeoutMs: 1_000 }];
const success = { state: 'COMPLETED', reason: 'success' };
const dayMs = 86_400_000;

/** A deployment of its own on a queue of its own, so that nobody else's workers or versions matter. */
function deployment() {
  const taskQueue = freshTaskQueue();
  const deploymentName = `d-${randomBytes(4).toString('hex')}`;
  return {
    taskQueue,
    one: { deploymentName, buildId: 'one' },
    /** A worker of this build that takes new runs; resolves with how to stop it. */
    async deploy(buildId: string): Promise<() => Promise<void>> {
      const stop = await poll(taskQueue, { deploymentName, buildId });
      await takeNewRuns(lab.env.client, { deploymentName, buildId });
      return stop;
    },
  };
}

async function poll(taskQueue: string, version?: Deployment): Promise<() => Promise<void>> {
  const worker = await lab.workerOn(taskQueue, version);
  const done = worker.run();
  running.push({ worker, done });
  return async () => {
    worker.shutdown();
    await done;
  };
}

/** The build that the newest run is held to; undefined where it is held to none. */
async function buildOf(handle: Handle): Promise<string | undefined> {
  const { raw } = await lab.env.client.workflow.getHandle(handle.workflowId).describe();
  const { deploymentVersion, versionTransition } = raw.workflowExecutionInfo?.versioningInfo ?? {};
  return versionTransition ? undefined : (deploymentVersion?.buildId ?? undefined);
}

/** As an operator does with `temporal workflow update-options`: whatever takes new runs, this version has this attempt. */
async function hold({ workflowId }: Handle, version: Deployment): Promise<void> {
  const { workflowService, options } = lab.env.client;
  await workflowService.updateWorkflowExecutionOptions({
    namespace: options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: {
      versioningOverride: {
        pinned: { behavior: PINNED_OVERRIDE_BEHAVIOR_PINNED, version },
      },
    },
    updateMask: { paths: ['versioning_override'] },
  });
}

/** Number of the run that is the newest, from 1 on. */
async function runs(handle: Handle): Promise<number> {
  let count = 0;
  for (let runId: string | undefined = handle.firstExecutionRunId; runId; count += 1) {
    const { events } = await lab.env.client.workflow.getHandle(handle.workflowId, runId).fetchHistory();
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;
  }
  return count;
}

/** One action that waits for an approval, then the end. */
async function waiting(taskQueue: string, expiresInMs = dayMs) {
  let ledger: FakeLedger | undefined;
  const started = await lab.start(
    {
      think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, action(0)) : proposal({ kind: 'text' })),
      act: (_args, { now }): Act =>
        ledger?.request
          ? { kind: 'observed', ok: true }
          : { kind: 'needs_approval', binding: 'b'.repeat(64), expiresAt: now + expiresInMs },
    },
    { models },
    { taskQueue },
  );
  ledger = started.ledger;
  const isAsked = () => moves(started.ledger).filter((made) => made.includes('record wait → none')).length;
  return { ...started, isAsked };
}

test('R12.2 a run that is about to rest for long begins anew, once, and rests under the version it is on', async () => {
  const { taskQueue, deploy } = deployment();
  await deploy('one');
  const { handle, ledger, isAsked } = await waiting(taskQueue);
  await until(() => isAsked() === 2, 'the second run asks too');
  await until(async () => (await buildOf(handle)) === 'one', 'it is held to the version');
  expect(await runs(handle)).toBe(2);
  const [pending] = await handle.query<{ actionId: string }[]>('pending');
  expect((await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails).toContain(
    'It waits for an approval',
  );

  await handle.signal('approve', { actionId: `${pending?.actionId}0`, by: 'ana' }); // another action's
  await until(() => isAsked() === 3, 'it looks, and rests on');
  expect(await runs(handle)).toBe(2);
  await handle.signal('approve', { actionId: pending?.actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
});

test('R12.2 a short rest stays in its run', async () => {
  const { taskQueue, deploy } = deployment();
  await deploy('one');
  const { handle, isAsked } = await waiting(taskQueue, 60_000);
  await until(() => isAsked() === 1, 'it waits');
  const [pending] = await handle.query<{ actionId: string }[]>('pending');
  await handle.signal('approve', { actionId: pending?.actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(await runs(handle)).toBe(1);
});

test('R12.2 R5.3 asked to upgrade, an attempt waits on for its approval under the new version, and the old worker may go', async () => {
  const { taskQueue, deploy } = deployment();
  const stopOld = await deploy('one');
  const { handle, ledger, isAsked } = await waiting(taskQueue);
  await until(() => isAsked() === 2, 'it rests');
  await deploy('two');
  expect(await buildOf(handle)).toBe('one');

  await handle.signal('upgrade', {});
  await until(async () => (await buildOf(handle)) === 'two', 'the new version has it');
  await stopOld();
  expect(ledger.inbox.size).toBe(0); // it is no message
  const [pending] = await handle.query<{ actionId: string }[]>('pending');
  expect(await handle.executeUpdate('approve', { args: [{ actionId: pending?.actionId, by: 'ana' }] })).toEqual({
    taken: true,
  });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
});

test('R12.2 an attempt at work goes on under the new version after the step that it is in', async () => {
  const { taskQueue, deploy } = deployment();
  const stopOld = await deploy('one');
  let enough = false;
  const { handle } = await lab.start(
    { think: () => (enough ? proposal({ kind: 'text' }) : proposal({ kind: 'actions' }, action(0))) },
    { models, stepsPerRun: 100_000 },
    { taskQueue },
  );
  await until(async () => (await buildOf(handle)) === 'one', 'it works');
  expect(await runs(handle)).toBe(1);
  await deploy('two');
  await until(async () => (await buildOf(handle)) === 'two', 'the new version has it');
  await stopOld();
  enough = true;
  expect(await handle.result()).toEqual(success);
  expect(await runs(handle)).toBe(2);
});

test('R12.2 an attempt that somebody holds at its version stays there, and does not begin anew again and again', async () => {
  const { taskQueue, deploy, one } = deployment();
  await deploy('one');
  let enough = false;
  const { handle, ledger } = await lab.start(
    { think: () => (enough ? proposal({ kind: 'text' }) : proposal({ kind: 'actions' }, action(0))) },
    { models, stepsPerRun: 100_000 },
    { taskQueue },
  );
  await until(async () => (await buildOf(handle)) === 'one', 'it works');
  await hold(handle, one);
  const stopNew = await deploy('two');
  await stopNew(); // what went there would stand still
  const before = ledger.moves.length;
  await until(() => ledger.moves.length > before + 60, 'thirty more steps');
  enough = true;
  expect(await handle.result()).toEqual(success);
  expect(await runs(handle)).toBeLessThanOrEqual(2);
});

test('R12.2 an attempt that began on workers without versions goes on with the one that takes new runs', async () => {
  const { taskQueue, deploy } = deployment();
  const stopOld = await poll(taskQueue);
  const { handle, ledger, isAsked } = await waiting(taskQueue);
  await until(() => isAsked() === 1, 'it rests');
  expect(await buildOf(handle)).toBeUndefined();
  await deploy('one');
  await stopOld();
  await handle.signal('approve', { actionId: ledger.request?.actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
});

test('R12.2 it can be told who works for which version, which takes new attempts, and what is held to which', async () => {
  const { taskQueue, deploy, one } = deployment();
  const name = (build: string) => `${one.deploymentName}.${build}`;
  const now = () => workerVersions(lab.env.client, taskQueue);
  await poll(taskQueue, one);
  await until(async () => (await now()).polled.length === 1, 'it polls');
  expect(await now()).toEqual({ polled: [{ version: name('one'), current: undefined }], held: [] });

  await takeNewRuns(lab.env.client, one);
  const { handle, isAsked } = await waiting(taskQueue);
  await until(() => isAsked() === 2, 'it rests');
  const id = handle.workflowId.slice('attempt/default/'.length);
  // Temporal's lists follow a moment later.
  await until(async () => (await now()).held.length === 1, 'it is listed');
  await deploy('two');
  const found = await now();
  expect(found.held).toEqual([{ version: name('one'), attempts: [id] }]);
  expect([...found.polled].sort((a, b) => a.version.localeCompare(b.version))).toEqual([
    { version: name('one'), current: name('two') },
    { version: name('two'), current: name('two') },
  ]);
  await handle.signal('cancel', { by: 'test' });
  await handle.result();
  await until(async () => (await now()).held.length === 0, 'it is listed no more');
});

/** What docs/operations.md has an operator type. */
async function temporalCommand(...args: string[]): Promise<void> {
  const { path } = await findProgram(temporalCli, { onProgress: () => {} });
  await promisify(execFile)(path, [...args, '--address', (await testStack()).temporalAddress]);
}

test('R12.2 one command moves all that wait under an old version', async () => {
  const { taskQueue, deploy, one } = deployment();
  await deploy('one');
  const both = [await waiting(taskQueue), await waiting(taskQueue)];
  for (const { isAsked } of both) await until(() => isAsked() === 2, 'it rests');
  await deploy('two');
  const held = async () =>
    (await workerVersions(lab.env.client, taskQueue)).held.map(({ attempts }) => attempts.length);
  await until(async () => (await held())[0] === 2, 'both are listed');

  const query = `WorkflowType = 'attempt' AND ExecutionStatus = 'Running' AND TemporalWorkerDeploymentVersion = '${one.deploymentName}:one'`;
  const input = ['--name', 'upgrade', '--input', '{}', '--reason', 'deploy', '--yes'];
  await temporalCommand('workflow', 'signal', ...input, '--query', query);
  for (const { handle } of both) {
    await until(async () => (await buildOf(handle)) === 'two', 'the new version has it');
    await handle.signal('cancel', { by: 'test' });
    await handle.result();
  }
});

test('R12.2 an attempt whose version nobody polls is moved by force, and the other code replays its pause', async () => {
  const { taskQueue, deploy } = deployment();
  const stopOld = await deploy('one');
  const { handle, ledger, isAsked } = await waiting(taskQueue);
  await until(() => isAsked() === 2, 'it rests');
  await stopOld();
  await deploy('two');

  const force = ['--workflow-id', handle.workflowId, '--versioning-override-behavior'];
  await temporalCommand('workflow', 'update-options', ...force, 'auto_upgrade');
  await handle.signal('approve', { actionId: ledger.request?.actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
});
