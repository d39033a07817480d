import { randomBytes } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { Deployment } from '../../../src/config/deployment';
import type { AttemptInput, StartSnapshot } from '../../../src/protocol/attempt';
import type { Activities, Call, CallKind, GiveUpArgs } from '../../../src/protocol/calls';
import { failureTypes } from '../../../src/protocol/calls';
import { freshTaskQueue, timeSkippingServerPath } from '../../support/stack';
import { workflowBundle } from '../../support/workflow-bundle';
import { FakeLedger, MismatchError, type Script } from './fake-ledger';
import { input } from './inputs';

export type Handle = WorkflowHandleWithFirstExecutionRunId<(input: AttemptInput) => Promise<unknown>>;

/** Throw it from a script: the call then works until it is asked to stop, and is repeated after. */
export class Hang extends Error {}

/** The real workflow on a real server, over a ledger in memory. */
export class Lab {
  readonly handles: Handle[] = [];

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly bundle: { code: string },
    private readonly ledgers: Map<string, FakeLedger>,
    private readonly taskQueue: string,
    private readonly worker: Worker,
    private readonly running: Promise<void>,
  ) {}

  /** On the server that skips time, or on the one at `address`. */
  static async open(address?: string): Promise<Lab> {
    const logger = new DefaultLogger('ERROR');
    Runtime.install({ logger });
    const env = address ? await TestWorkflowEnvironment.createFromExistingServer({ address }) : await timeSkipping();
    const bundle = await workflowBundle();
    const ledgers = new Map<string, FakeLedger>();
    const taskQueue = freshTaskQueue();
    const worker = await workerOn(env, bundle, taskQueue, ledgers);
    return new Lab(env, bundle, ledgers, taskQueue, worker, worker.run());
  }

  /** A second worker, for workflows that were started before it; of the version given. */
  async workerOn(taskQueue: string, version?: Deployment): Promise<Worker> {
    return await workerOn(this.env, this.bundle, taskQueue, this.ledgers, version);
  }

  prepare(script: Script, change: Partial<StartSnapshot> = {}) {
    const id = `task-${randomBytes(4).toString('hex')}/1`;
    const ledger = new FakeLedger(script);
    this.ledgers.set(id, ledger);
    return { id, ledger, input: input(change, id) };
  }

  /** `before`: what the ledger holds when the workflow begins. */
  async start(
    script: Script,
    change: Partial<StartSnapshot> = {},
    { taskQueue = this.taskQueue, before }: { taskQueue?: string; before?: (ledger: FakeLedger) => void } = {},
  ): Promise<{ handle: Handle; ledger: FakeLedger }> {
    const { id, ledger, input: args } = this.prepare(script, change);
    before?.(ledger);
    const handle = await this.env.client.workflow.start<(input: AttemptInput) => Promise<unknown>>('attempt', {
      taskQueue,
      workflowId: `attempt/default/${id}`,
      args: [args],
      workflowTaskTimeout: '2s',
    });
    this.handles.push(handle);
    return { handle, ledger };
  }

  async close(): Promise<void> {
    this.worker.shutdown();
    await this.running;
    await this.env.teardown();
  }
}

async function timeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await timeSkippingServerPath();
  return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}

async function workerOn(
  env: TestWorkflowEnvironment,
  workflowBundle: { code: string },
  taskQueue: string,
  ledgers: ReadonlyMap<string, FakeLedger>,
  version?: Deployment,
): Promise<Worker> {
  return await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle,
    activities: activitiesOver(ledgers),
    ...(version && {
      workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
    }),
  });
}

/** The activities of the protocol, thin enough to have no behaviour of their own. */
function activitiesOver(ledgers: ReadonlyMap<string, FakeLedger>): Activities {
  const of = (call: Call): FakeLedger => {
    const ledger = ledgers.get(call.ref.id);
    if (!ledger) throw new Error(`no ledger for ${call.ref.id}`);
    return ledger;
  };
  const answering =
    <K extends CallKind>(kind: K) =>
    async (call: Call<K>) => {
      for (;;) {
        try {
          return of(call).answer(kind, call);
        } catch (error) {
          if (error instanceof MismatchError)
            throw ApplicationFailure.nonRetryable(error.message, failureTypes.moveMismatch);
          if (!(error instanceof Hang)) throw error;
          const beat = setInterval(() => Context.current().heartbeat(), 200);
          await Context.current().cancelled.finally(() => clearInterval(beat));
        }
      }
    };
  return {
    prepare: answering('prepare'),
    think: answering('think'),
    compact: answering('compact'),
    act: answering('act'),
    probe: answering('probe'),
    verify: answering('verify'),
    verifySealed: answering('verifySealed'),
    commit: answering('commit'),
    record: answering('record'),
    settle: answering('settle'),
    giveUp: async (args: GiveUpArgs) => of(args.call).giveUp(args),
  };
}

/** Polls in real time; the server's clock stands still meanwhile. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  const untilMs = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > untilMs) throw new Error(`it never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
