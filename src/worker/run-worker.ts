import { NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createActivities, createSealedActivities } from '../activities/activities';
import type { ActivityDeps } from '../activities/deps';
import { Executions } from '../activities/executions';
import type { LedgerPort } from '../activities/ledger-port';
import type {
  ArtifactPort,
  DatabasePort,
  ModelPort,
  PolicyPort,
  ToolPort,
  VersionsPort,
  WorkspacePort,
} from '../activities/ports';
import { ownProcess } from '../embedded/process/process-identity';
import { openLedgerPool } from '../ledger/database';
import { createLedger } from '../ledger/ledger';
import { createPreviews } from '../ledger/previews/send-previews';
import { hostTaskQueue, mainTaskQueue, sealedTaskQueue } from '../protocol/ids';
import { connectTemporal } from '../temporal/connect';
import type { TemporalTarget } from '../temporal/target';
import { holdLease } from './lease-loop';
import { type WorkerQueue, workerQueues } from './queues';
import { quietBundle } from './quiet-bundle';
import { type Sweeper, startSweeper } from './sweeper';
import { takeOverFromDead } from './take-over';
import { workerIdentity } from './worker-identity';

export interface WorkerParts {
  readonly databaseUrl: string;
  /** The ledger on the worker's connections; `createLedger` where left out. */
  readonly openLedger?: (pool: Pool) => LedgerPort;
  readonly temporal: TemporalTarget;
  readonly taskQueue?: string;
  /** All where left out. */
  readonly queues?: readonly WorkerQueue[];
  /** The version of this worker: its runs stay with it until they continue as new. Undefined: it has none (R12.2). */
  readonly deployment?: { readonly deploymentName: string; readonly buildId: string };
  readonly models: ModelPort;
  readonly tools: ToolPort;
  readonly policy: PolicyPort;
  readonly workspaces: WorkspacePort;
  readonly artifacts: ArtifactPort;
  /** None are configured where left out. */
  readonly databases?: DatabasePort;
  readonly versions: VersionsPort;
  readonly hide?: ActivityDeps['hide'];
  readonly tenantCosts?: ActivityDeps['tenantCosts'];
  /** Pre-built; or else the path of the workflows, which are then bundled (1 s). */
  readonly workflows: WorkflowBundleOption | string;
  /** The name of this host, where workers have data folders of their own; undefined where one host is all there is. */
  readonly host?: string | undefined;
  readonly logger: Logger;
}
export interface RunningWorker {
  /** Resolves when the worker has ended, rejects where it could not go on. */
  readonly done: Promise<void>;
  /** Lets what runs end or be given back, then gives up the lease. */
  stop(): Promise<void>;
}

/** A workflow task goes back to the common queue this soon after its worker died. */
const stickyTimeoutMs = 1_000;
/** More live attempts than one worker has; a cache that is too small replays a history for every task. */
const cachedWorkflowsMax = 1_000;
/** What runs gets this long to end before it is aborted; its number is called again elsewhere. */
const shutdownGraceMs = 3_000;
/** After that, nothing is waited for: the ledger knows what was open. */
const shutdownForceMs = 8_000;
/** A cancel is heard with the next heartbeat; the SDK would save up beats for seconds. */
const heartbeatThrottleMs = 500;

/** Joins ledger, Temporal and adapters into a polling worker. Rejects where one of the two cannot be reached. */
export async function runWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { logger } = parts;
  const trouble = (what: string) => (error: unknown) => logger.warn({ error: String(error) }, what);
  const pool = openLedgerPool(parts.databaseUrl, 'holdfast worker');
  const closing: (() => Promise<unknown>)[] = [() => pool.end()];
  const close = async () => {
    for (const end of closing.reverse()) await end().catch(trouble('closing'));
  };
  try {
    const executions: Executions = new Executions(() => lease.id());
    const lease = await holdLease(pool, () => executions, trouble('the lease could not be renewed'), parts.host);
    closing.push(() => lease.stop());
    const client = await connectTemporal(parts.temporal);
    closing.push(() => client.connection.close());
    const { address, namespace, connection: credentials } = parts.temporal;
    const connection = await NativeConnection.connect({ address, ...credentials });
    closing.push(() => connection.close());

    let sweeper: Sweeper | undefined;
    const soon = () => sweeper?.soon();
    const ledger = (parts.openLedger ?? createLedger)(pool);
    const deps = { ...parts, ledger, executions, soon, previews: createPreviews(pool) };
    const { queues = workerQueues } = parts;
    const common = { connection, namespace, identity: workerIdentity(ownProcess()), ...versioning(parts), ...polling };
    const workers: Worker[] = [];
    if (queues.includes('main')) workers.push(await Worker.create({ ...common, ...(await mainQueue(parts, deps)) }));
    if (queues.includes('main') && parts.host !== undefined) {
      const taskQueue = hostTaskQueue(parts.host);
      workers.push(await Worker.create({ ...common, taskQueue, activities: createActivities(deps) }));
    }
    if (queues.includes('sealed'))
      workers.push(
        await Worker.create({ ...common, taskQueue: sealedTaskQueue, activities: createSealedActivities(deps) }),
      );
    const done = runTogether(workers);
    if (queues.includes('main')) {
      const taken = await takeOverFromDead(pool, client);
      if (taken > 0) logger.info({ calls: taken }, 'took over from a worker that died');
      const sweeping = startSweeper(pool, client, deps, trouble('the sweep failed'));
      sweeper = sweeping;
      closing.push(() => sweeping.stop());
    }
    const ended = done.finally(close);
    return {
      done: ended,
      async stop() {
        shutdown(workers);
        await ended;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const polling = {
  maxHeartbeatThrottleInterval: heartbeatThrottleMs,
  defaultHeartbeatThrottleInterval: heartbeatThrottleMs,
  shutdownGraceTime: shutdownGraceMs,
  shutdownForceTime: shutdownForceMs,
};

/** What the worker of workflows has beside the other; both are of one version. */
async function mainQueue({ taskQueue = mainTaskQueue, workflows }: WorkerParts, deps: ActivityDeps) {
  return {
    taskQueue,
    ...(typeof workflows === 'string'
      ? { workflowsPath: workflows }
      : { workflowBundle: await quietBundle(workflows) }),
    activities: createActivities(deps),
    stickyQueueScheduleToStartTimeout: stickyTimeoutMs,
    maxCachedWorkflows: cachedWorkflowsMax,
  };
}

function versioning({ deployment }: WorkerParts) {
  if (deployment === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: deployment,
      useWorkerVersioning: true as const,
      defaultVersioningBehavior: 'PINNED' as const,
    },
  };
}

/** Until all have ended; where one ends by itself, so do the others. */
async function runTogether(workers: readonly Worker[]): Promise<void> {
  const runs = workers.map((worker) => worker.run().finally(() => shutdown(workers)));
  const ends = await Promise.allSettled(runs);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function shutdown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
