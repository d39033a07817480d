import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFileStore } from '../artifacts/file-store';
import type { Config } from '../config';
import { openLedgerPool } from '../ledger/database';
import { forgetPosted } from '../ledger/posted';
import { hearPreviews } from '../ledger/previews/hear-previews';
import { knownFiles } from '../requests/task/known-files';
import type { KnownNames } from '../requests/task/known-names';
import { toolNames } from '../requests/task/tool-names';
import { sharedClient } from '../temporal/shared-client';
import type { TemporalTarget } from '../temporal/target';
import { authenticator } from './auth/authenticate';
import { routes } from './routes';
import { createServer } from './server';
import { attemptTails } from './stream/attempt-tail';

/** What `npm run build` makes of console/; not there where the sources run as they are. */
const builtConsole = join(__dirname, '..', 'console');

/** As long as a client may try the same request again: a day, with a night in it. */
const postedKeptMs = 24 * 60 * 60 * 1_000;
/** Nobody waits for it, and a row is small. */
const forgetEveryMs = 60 * 60 * 1_000;

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly temporal: TemporalTarget;
  readonly address: { readonly host: string; readonly port: number };
  readonly logger: Logger;
  /** The built console; what the build has beside this where left out. */
  readonly consoleFolder?: string;
}
export interface RunningGateway {
  /** Where it serves, without a slash at the end. */
  readonly url: string;
  /** Sends its readers away and ends. */
  stop(): Promise<void>;
}

/** Joins ledger, Temporal and object store into a serving gateway. Rejects where the address is taken. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, databaseUrl, logger } = options;
  const pool = openLedgerPool(databaseUrl, 'holdfast gateway');
  const ears = hearPreviews(databaseUrl);
  const temporal = sharedClient(options.temporal);
  const tails = attemptTails(pool, (error) => logger.warn({ error }, 'reading events failed; it is tried again'));
  const stopping = new AbortController();
  const server = await createServer({
    gateway: {
      pool,
      authenticate: authenticator(pool, config.gateway.oidc),
      config,
      known: once(() => knownNames(config)),
      artifacts: createFileStore(config.objectStore),
      tails,
      ears,
      temporal,
      stopping: stopping.signal,
    },
    routes,
    logger,
    hosts: config.gateway.hosts,
    requestsPerMinute: config.gateway.requestsPerMinute,
    consoleFolder: [options.consoleFolder ?? builtConsole].find((folder) => existsSync(folder)),
  });
  const trouble = (error: unknown) => logger.warn({ error }, 'forgetting old requests failed; it is tried again');
  const forgetting = setInterval(() => void forgetPosted(pool, postedKeptMs).catch(trouble), forgetEveryMs);
  const stop = async () => {
    clearInterval(forgetting);
    stopping.abort();
    tails.stop();
    await server.close();
    await Promise.allSettled([ears.stop(), temporal.close(), pool.end()]);
  };
  try {
    return { url: await server.listen(options.address), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function knownNames(config: Config): Promise<KnownNames> {
  const [names, files] = await Promise.all([toolNames(config), knownFiles(config)]);
  return { ...names, files, models: Object.keys(config.models) };
}

/** What is looked up is kept; what failed is looked up again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= work();
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
}
