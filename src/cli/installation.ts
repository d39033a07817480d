import { join } from 'node:path';
import { type Config, environmentOfChild } from '../config';
import type { StackAddresses } from '../embedded/attach';
import { type Stack, StackBusyError, startStack } from '../embedded/stack';
import { startWorker, WorkerNotReady } from '../embedded/worker-process';
import { migrate } from '../ledger/migrate';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import { note } from './output';

/** A worker that is asked to stop lets a tool finish or ends it, whose own grace is shorter. */
const workerGraceMs = 10_000;

export interface Installation extends StackAddresses {
  readonly workerLog: string;
  /** Ends the worker, then the servers. Can be called again. */
  stop(): Promise<void>;
}

/**
 * Everything that attempts need, on this machine: servers, schema, worker. Progress goes to standard error.
 * Rejects with CliError where another process runs this data folder; after any rejection nothing of ours runs.
 */
export async function startInstallation(config: Config): Promise<Installation> {
  return addWorker(config, await startServers(config));
}

/** The first half: what is done after it is done by the only process that runs this data folder. */
export async function startServers(config: Config): Promise<Stack> {
  const { dataDir, databaseUrl, temporal, embedded } = config;
  const stack = await startStack({
    dataDir,
    databaseUrl,
    temporalAddress: temporal?.address,
    namespace: temporal?.namespace,
    programs: embedded,
    onProgress: ({ part, text }) => note(`${part}: ${text}`),
  }).catch((error) => {
    if (error instanceof StackBusyError) throw new CliError(exitCodes.usage, error.message);
    throw error;
  });
  try {
    const applied = await migrate(stack.databaseUrl);
    if (applied.length > 0) note(`ledger: ${applied.join(', ')} applied`);
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** The second half. Where it rejects, the servers have been stopped. */
export async function addWorker(config: Config, servers: Stack): Promise<Installation> {
  const workerLog = join(config.dataDir, 'logs', 'worker.log');
  try {
    const worker = await startWorker({
      entry: join(__dirname, '..', 'worker.js'),
      env: environmentOfChild(config, servers),
      logFile: workerLog,
      graceMs: workerGraceMs,
      tell: (text) => note(`worker: ${text}`),
    });
    const { databaseUrl, temporalAddress, namespace, uiUrl } = servers;
    return {
      workerLog,
      databaseUrl,
      temporalAddress,
      namespace,
      ...(uiUrl !== undefined && { uiUrl }),
      stop: async () => {
        await worker.stop();
        await servers.stop();
      },
    };
  } catch (error) {
    await servers.stop();
    if (!(error instanceof WorkerNotReady)) throw error;
    throw new CliError(exitCodes.failed, error.message, `Mend what it says; the whole of it is in ${workerLog}.`);
  }
}
