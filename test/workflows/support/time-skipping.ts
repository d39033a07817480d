import { randomBytes } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import type { AttemptInput, StartSnapshot } from '../../../src/protocol/attempt';
import type { Activities, Call, CallKind, GiveUpArgs } from '../../../src/protocol/calls';
import { failureTypes } from '../../../src/protocol/calls';
import { timeSkippingServerPath } from '../../support/stack';
import { FakeLedger, MismatchError, type Script } from './fake-ledger';
import { input } from './inputs';

export type Handle = WorkflowHandleWithFirstExecutionRunId<(input: AttemptInput) => Promise<unknown>>;

/** Throw it from a script: the call then works until it is asked to stop, and is repeated after. */
export class Hang extends Error {}

/** The real workflow on Temporal's time-skipping server, over a ledger in memory. */
export class Lab {
  private readonly ledgers = new Map<string, FakeLedger>();
  readonly handles: Handle[] = [];

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly bundle: WorkflowBundleWithSourceMap,
    private readonly worker: Worker,
    private readonly running: Promise<void>,
    readonly taskQueue: string,
  ) {}

  static async open(): Promise<Lab> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const path = await timeSkippingServerPath();
    const env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    const bundle = await bundleWorkflowCode({
      workflowsPath: require.resolve('../../../src/workflows/index.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const taskQueue = 'lab';
    const ledgers = new Map<string, FakeLedger>();
    const worker = await workerOn(env, bundle, taskQueue, ledgers);
    const lab = new Lab(env, bundle, worker, worker.run(), taskQueue);
    for (const [id, ledger] of ledgers) lab.ledgers.set(id, ledger);
    lab.shared = ledgers;
    return lab;
  }
  private shared = new Map<string, FakeLedger>();

  /** A second worker, for workflows that were started before it. */
  async workerOn(taskQueue: string): Promise<Worker> {
    return await workerOn(this.env, this.bundle, taskQueue, this.shared);
  }

  prepare(script: Script, change: Partial<StartSnapshot> = {}) {
    const id = `task-${randomBytes(4).toString('hex')}/1`;
    const ledger = new FakeLedger(script);
    this.shared.set(id, ledger);
    return { id, ledger, input: input(change, id) };
  }

  async start(script: Script, change: Partial<StartSnapshot> = {}): Promise<{ handle: Handle; ledger: FakeLedger }> {
    const { id, ledger, input: args } = this.prepare(script, change);
    const handle = await this.env.client.workflow.start<(input: AttemptInput) => Promise<unknown>>('attempt', {
      taskQueue: this.taskQueue,
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

async function workerOn(
  env: TestWorkflowEnvironment,
  workflowBundle: WorkflowBundleWithSourceMap,
  taskQueue: string,
  ledgers: ReadonlyMap<string, FakeLedger>,
): Promise<Worker> {
  return await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle,
    activities: activitiesOver(ledgers),
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
    act: answering('act'),
    verify: answering('verify'),
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
