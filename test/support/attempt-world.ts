import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DatabasePort, PolicyPort, ToolDefinition, VersionsPort, WorkspacePort } from '../../src/activities/ports';
import { createFileStore } from '../../src/artifacts/file-store';
import type { Deployment } from '../../src/config/deployment';
import { defaultLimits, type Limits } from '../../src/domain/budget/account';
import type { Contract } from '../../src/domain/contract/contract';
import { sealedTests } from '../../src/domain/contract/sealed';
import { openLedgerPool } from '../../src/ledger/database';
import { insertMessage } from '../../src/ledger/inbox';
import { markWorkflowStarted, startAttempt } from '../../src/ledger/start-attempt';
import { createLogger } from '../../src/logger';
import { createModels } from '../../src/models/model-port';
import type { ModelConfig } from '../../src/models/models-config';
import { type LoggedRequest, type ScriptedModel, startScriptedModel } from '../../src/models/scripted/scripted-model';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { AttemptResult, StartSnapshot } from '../../src/protocol/attempt';
import { type AttemptRef, workflowId } from '../../src/protocol/ids';
import type { MessageContent, signalNames } from '../../src/protocol/messages';
import { startAttemptWorkflow } from '../../src/temporal/start-workflow';
import { wakeAttempt } from '../../src/temporal/wake';
import { createRegistry } from '../../src/tools/registry';
import type { WorkerQueue } from '../../src/worker/queues';
import { type RunningWorker, runWorker } from '../../src/worker/run-worker';
import { untilMaxMs } from './gate';
import { ledgerDatabase } from './ledger-database';
import { testStack } from './stack';
import { tempFolder } from './temp-folder';
import { testPolicy } from './test-policy';
import { testVersions } from './test-versions';
import type { Ways } from './ways';
import { startWorkerProcess, type WorkerProcess } from './worker-process';
import { workflowBundleFile } from './workflow-bundle';

/** Whole attempts: the real workflow and worker, a real Temporal server and PostgreSQL, and a scripted model. */
export interface AttemptWorld {
  readonly pool: Pool;
  readonly client: Client;
  readonly model: ScriptedModel;
  start(options: {
    task?: string;
    contract?: Partial<Contract>;
    limits?: Partial<Limits>;
    input?: string;
    snapshot?: Partial<StartSnapshot>;
    /** So many side by side, of which the first is answered. */
    attempts?: number;
    /** Also where the task is completed, or one of its attempts runs. */
    again?: boolean;
    /** Only the row, as a client leaves it that dies before it starts the workflow. */
    rowOnly?: boolean;
  }): Promise<AttemptRef>;
  result(ref: AttemptRef): Promise<AttemptResult>;
  /** Stores a message and wakes the attempt; whether it was stored, which it is not after the end. */
  send(ref: AttemptRef, content: Exclude<MessageContent, { kind: 'unknown' }>, id?: string): Promise<boolean>;
  handle(ref: AttemptRef): WorkflowHandle;
  /** Waits until the attempt's row has the state. */
  until(ref: AttemptRef, state: string): Promise<void>;
  /** Waits until the attempt's row says why it waits or ended. */
  stopped(ref: AttemptRef): Promise<{ state: string; reason: string }>;
  events(ref: AttemptRef): Promise<{ type: string; payload: Record<string, unknown> }[]>;
  /** Another worker on this world's servers, by other ways to them and of the version where they are given. */
  startWorker(
    by?: Partial<Ways> & { deployment?: Deployment; queues?: readonly WorkerQueue[] },
  ): Promise<RunningWorker>;
  readonly ways: Ways;
  /** Another worker as a process of its own (worker-main.ts), whatever tools this world has. */
  startProcess(by?: {
    modules?: readonly string[];
    env?: Readonly<Record<string, string>>;
    /** The name of a host with a data folder of its own. */
    host?: string;
  }): Promise<WorkerProcess>;
  /** The data folder of such a host. */
  hostFolder(host: string): string;
  /** What the tools of worker processes did, in order. */
  effects(): { kind: 'begin' | 'end'; key: string }[];
  close(): Promise<void>;
}
export interface WorldOptions {
  readonly transcript: Transcript;
  /** Beside the built-in ones; every attempt may call them. */
  readonly tools?: readonly ToolDefinition[];
  /** Everything is allowed where left out. */
  readonly policy?: PolicyPort;
  readonly workspaces?: (dataDir: string) => WorkspacePort;
  readonly databases?: DatabasePort;
  readonly model?: Partial<ModelConfig>;
  readonly versions?: VersionsPort;
  /** Told of each request that its model gets. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Of its workers; standard error where left out. */
  readonly logger?: Logger;
}

const dialog: Contract = { kind: 'dialog', goal: 'Answer.', constraints: [], forbidden: [], tools: [], acceptance: [] };
interface AttemptState {
  readonly state: string;
  readonly reason: string | null;
}

export async function attemptWorld(options: WorldOptions): Promise<AttemptWorld> {
  const database = await ledgerDatabase();
  const pool = openLedgerPool(database.url);
  const { address, namespace, client } = await freshNamespace();
  const model = await startScriptedModel({
    transcript: options.transcript,
    ...(options.onRequest && { onRequest: options.onRequest }),
  });
  const dataDir = tempFolder('holdfast-world-');
  const config: ModelConfig = {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl: model.url,
    contextTokens: 64_000,
    maxOutputTokens: 1_000,
    timeoutMs: 10_000,
    quick: true,
    headers: { 'X-Step': '{attempt}/{step}' },
    ...options.model,
  };
  const workers: RunningWorker[] = [];
  const processes: WorkerProcess[] = [];
  const effects = join(dataDir, 'effects');
  const row = async (ref: AttemptRef, what: string, fits: (row: AttemptState) => boolean): Promise<AttemptState> => {
    for (const started = Date.now(); Date.now() - started < untilMaxMs; await sleep(20)) {
      const { rows } = await pool.query<AttemptState>('select state, reason from attempts where key = $1', [ref.key]);
      if (rows[0] && fits(rows[0])) return rows[0];
    }
    throw new Error(`${ref.id} did not reach ${what}: ${JSON.stringify(await world.events(ref))}`);
  };
  const world: AttemptWorld = {
    pool,
    client,
    model,
    ways: { databaseUrl: database.url, temporalAddress: address, namespace },
    async start({
      task = `t-${randomBytes(4).toString('hex')}`,
      contract = {},
      limits = {},
      input = 'Hello?',
      snapshot = {},
      again = false,
      attempts = 1,
      rowOnly = false,
    }) {
      const whole = { ...dialog, tools: (options.tools ?? []).map(({ name }) => name), ...contract };
      const outcome = await startAttempt(pool, {
        tenant: 'default',
        task,
        contract: whole,
        limits: { ...defaultLimits, ...limits },
        input,
        versions: {},
        again,
        beside: again,
        attempts,
        snapshot: {
          kind: whole.kind,
          hasWorkspace: whole.workspace !== undefined,
          criteria: whole.acceptance.map(({ id }) => id),
          ...(sealedTests(whole).length > 0 && { sealed: sealedTests(whole).map(({ id }) => id) }),
          models: [{ name: 'scripted', quick: config.quick, timeoutMs: config.timeoutMs }],
          flow: 1,
          stepsPerRun: 100,
          searchAttributes: false,
          ...snapshot,
        },
      });
      const { ref, snapshot: start } = outcome.attempt;
      if (rowOnly) return ref;
      const race = (outcome.kind === 'created' && outcome.race) || [{ ref, snapshot: start }];
      for (const one of race) {
        await startAttemptWorkflow(client, one.ref, one.snapshot);
        await markWorkflowStarted(pool, one.ref);
      }
      return ref;
    },
    result: (ref) => client.workflow.getHandle(workflowId(ref.tenant, ref.id)).result() as Promise<AttemptResult>,
    async send(ref, content, id = randomUUID()) {
      const stored = await insertMessage(pool, ref, { id, ...content });
      await wakeAttempt(client, ref, content.kind as keyof typeof signalNames, id);
      return stored.kind !== 'ended';
    },
    handle: (ref) => client.workflow.getHandle(workflowId(ref.tenant, ref.id)),
    async until(ref, state) {
      await row(ref, state, (attempt) => attempt.state === state);
    },
    async stopped(ref) {
      const { state, reason } = await row(ref, 'a pause or an end', (attempt) => attempt.reason !== null);
      return { state, reason: reason ?? '' };
    },
    async events(ref) {
      const { rows } = await pool.query('select type, payload from events where attempt = $1 order by sequence', [
        ref.key,
      ]);
      return rows;
    },
    async startWorker(by = {}) {
      const worker = await runWorker({
        ...(by.deployment && { deployment: by.deployment }),
        ...(by.queues && { queues: by.queues }),
        databaseUrl: by.databaseUrl ?? database.url,
        temporal: { address: by.temporalAddress ?? address, namespace, connection: {} },
        models: createModels({ scripted: config }),
        tools: createRegistry(options.tools),
        policy: options.policy ?? testPolicy(),
        workspaces: options.workspaces?.(dataDir) ?? ({} as WorkspacePort),
        artifacts: createFileStore(join(dataDir, 'objects')),
        ...(options.databases && { databases: options.databases }),
        versions: options.versions ?? testVersions,
        workflows: { codePath: await workflowBundleFile() },
        logger: options.logger ?? createLogger('warn', 'test'),
      });
      workers.push(worker);
      return worker;
    },
    hostFolder: (host) => join(dataDir, 'hosts', host),
    async startProcess({ modules = [], env = {}, host } = {}) {
      const bundle = await workflowBundleFile();
      const objects = join(dataDir, 'objects');
      const own = host === undefined ? { dataDir } : { dataDir: world.hostFolder(host), host };
      const orders = { ...world.ways, model: config, bundle, ...own, objects, effects, modules };
      const process = await startWorkerProcess(orders, env);
      processes.push(process);
      return process;
    },
    effects() {
      const lines = existsSync(effects) ? readFileSync(effects, 'utf8').trimEnd().split('\n') : [];
      return lines.map((line) => {
        const [kind, key = ''] = line.split(' ');
        return { kind: kind === 'begin' ? 'begin' : 'end', key };
      });
    },
    async close() {
      for (const worker of workers) await worker.stop();
      for (const process of processes) await process.kill();
      await client.connection.close();
      await model.stop();
      await pool.end();
      await database.drop();
    },
  };
  return world;
}

/** A namespace of one's own: workflow ids of one test stay apart from those of another. */
async function freshNamespace(): Promise<{ address: string; namespace: string; client: Client }> {
  const { temporalAddress: address } = await testStack();
  const namespace = `t-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const client = new Client({ connection, namespace });
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await connection.workflowService.listOpenWorkflowExecutions({
        namespace,
        maximumPageSize: 1,
        startTimeFilter: {},
      });
      break;
    } catch {
      await sleep(100);
    }
  }
  return { address, namespace, client };
}
