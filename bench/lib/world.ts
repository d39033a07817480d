import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { startStack } from '../../src/embedded/stack';
import { readStackState } from '../../src/embedded/state-file';
import { openLedgerPool } from '../../src/ledger/database';
import { migrate } from '../../src/ledger/migrate';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { BenchWorkerSetup } from '../worker/setup';
import { type Child, startChild } from './child';
import type { Lane } from './lane';

/** Everything that a benchmark runs against: real servers in a folder of their own, each part a process of its own. */
export interface BenchWorld {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** The owner's connections: for measuring, and for the tables of the bare loops. */
  readonly admin: Pool;
  /** As the application's role. */
  readonly ledger: Pool;
  readonly client: Client;
  readonly address: string;
  readonly namespace: string;
  readonly modelUrl: string;
  readonly pids: { readonly temporal: number; readonly postgres: number; readonly model: number };
  startWorker(lane: Lane, options?: WorkerOptions): Promise<Child>;
  close(): Promise<void>;
}
export interface WorkerOptions {
  readonly toolLog?: string;
  /** Each run of the tool waits for a person's approval. */
  readonly asks?: boolean;
  /** A read that takes as long as it is told, instead of the write. */
  readonly waits?: boolean;
  readonly long?: BenchWorkerSetup['long'];
  readonly files?: BenchWorkerSetup['files'];
  /** Instead of the model's own. */
  readonly modelUrl?: string;
  /** Folder for a CPU profile. */
  readonly profile?: string | undefined;
}

/** Starts it all; what is needed is said on standard error, where it takes long. */
export async function openWorld(transcript: Transcript): Promise<BenchWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const tell = ({ part, text }: { part: string; text: string }) => process.stderr.write(`${part}: ${text}\n`);
  const stack = await startStack({ dataDir, onProgress: tell });
  const { databaseUrl, temporalAddress: address, namespace } = stack;
  await migrate(databaseUrl);
  const state = await readStackState(dataDir);
  if (state?.temporal === undefined || state.postgres === undefined) throw new Error('the stack has no processes');
  const logFile = (name: string) => ({ logFile: join(dataDir, `${name}.log`) });
  const model = await startChild(join(__dirname, '../model/main.js'), transcript, logFile('model'));
  const connection = await Connection.connect({ address });
  const admin = new Pool({ connectionString: databaseUrl, max: 2 });
  const ledger = openLedgerPool(databaseUrl, 'holdfast bench');
  const running = new Set<Child>([model]);
  return {
    dataDir,
    databaseUrl,
    admin,
    ledger,
    client: new Client({ connection, namespace }),
    address,
    namespace,
    modelUrl: String(model.hello),
    pids: { temporal: state.temporal.process.pid, postgres: state.postgres.process.pid, model: model.pid },
    async startWorker(
      lane,
      { toolLog, asks = false, waits = false, modelUrl = String(model.hello), long, files, profile } = {},
    ) {
      const setup: BenchWorkerSetup = {
        databaseUrl,
        temporal: { address, namespace },
        modelUrl,
        dataDir,
        quick: lane === 'local',
        asks,
        waits,
        ...(toolLog !== undefined && { toolLog }),
        ...(long && { long }),
        ...(files && { files }),
      };
      const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
      const worker = await startChild(join(__dirname, '../worker/main.js'), setup, { ...logFile('worker'), execArgv });
      running.add(worker);
      return worker;
    },
    async close() {
      await Promise.all([...running].map((child) => child.stop()));
      await Promise.all([admin.end(), ledger.end(), connection.close()]);
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
