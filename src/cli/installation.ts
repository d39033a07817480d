import { join } from 'node:path';
import { type Config, environmentOfChild } from '../config';
import { usualAddress } from '../config/gateway';
import type { StackAddresses } from '../embedded/attach';
import { ChildNotReady, startChild } from '../embedded/kept-child';
import { freePort } from '../embedded/process/free-port';
import type { KeptProcess } from '../embedded/process/keep-running';
import { type Stack, StackBusyError, startStack } from '../embedded/stack';
import { migrate } from '../ledger/migrate';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import { note } from './output';
import { ownToken } from './own-token';

/** A worker that is asked to stop lets a tool finish or ends it, whose own grace is shorter. */
const workerGraceMs = 10_000;

/** A gateway that is asked to stop tells its readers to go. */
const gatewayGraceMs = 5_000;

export interface Installation extends StackAddresses {
  readonly workerLog: string;
  /** Where the gateway serves, without a slash at the end. */
  readonly gatewayUrl: string;
  /** The console, with the token of whoever runs this in the part of the address that is sent to nobody. */
  readonly consoleUrl: string;
  /** Ends the worker and the gateway, then the servers. Can be called again. */
  stop(): Promise<void>;
}

/**
 * Everything that attempts need, on this machine: servers, schema, worker, gateway. Progress goes to standard error.
 * Rejects with CliError where another process runs this data folder; after any rejection nothing of ours runs.
 */
export async function startInstallation(config: Config): Promise<Installation> {
  return addProcesses(config, await startServers(config));
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
export async function addProcesses(config: Config, servers: Stack): Promise<Installation> {
  const logs = join(config.dataDir, 'logs');
  const workerLog = join(logs, 'worker.log');
  const { databaseUrl, temporalAddress, namespace, uiUrl } = servers;
  const env = environmentOfChild(config, servers);
  const [worker, gateway, token] = await Promise.allSettled([
    startPart('worker', { env, logFile: workerLog, graceMs: workerGraceMs }),
    startGateway(config, { env, logFile: join(logs, 'gateway.log'), graceMs: gatewayGraceMs }),
    ownToken(config.dataDir, databaseUrl),
  ]);
  const stop = async () => {
    const parts = [
      ...(worker.status === 'fulfilled' ? [worker.value] : []),
      ...(gateway.status === 'fulfilled' ? [gateway.value.process] : []),
    ];
    await Promise.all(parts.map((part) => part.stop()));
    await servers.stop();
  };
  if (worker.status === 'rejected' || gateway.status === 'rejected' || token.status === 'rejected') {
    await stop();
    throw [worker, gateway, token].flatMap((part) => (part.status === 'rejected' ? [part.reason] : []))[0];
  }
  const { url: gatewayUrl } = gateway.value;
  return {
    workerLog,
    gatewayUrl,
    consoleUrl: `${gatewayUrl}/#token=${token.value}`,
    databaseUrl,
    temporalAddress,
    namespace,
    ...(uiUrl !== undefined && { uiUrl }),
    stop,
  };
}

interface PartOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly graceMs: number;
}

async function startPart(name: 'worker' | 'gateway', options: PartOptions): Promise<KeptProcess> {
  try {
    const entry = join(__dirname, '..', `${name}.js`);
    return await startChild({ name, entry, ...options, tell: (text) => note(`${name}: ${text}`) });
  } catch (error) {
    if (!(error instanceof ChildNotReady)) throw error;
    throw new CliError(exitCodes.failed, error.message, `Mend what it says; the whole of it is in ${options.logFile}.`);
  }
}

/** Where nobody said which port, on the usual one, and on any that is free where another installation has that, or takes it just now. */
async function startGateway(
  { gateway }: Config,
  options: PartOptions,
): Promise<{ readonly process: KeptProcess; readonly url: string }> {
  const on = async ({ host, port }: { readonly host: string; readonly port: number }) => {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const env = { ...options.env, HOLDFAST_GATEWAY: address };
    return { process: await startPart('gateway', { ...options, env }), url: `http://${address}` };
  };
  if (gateway.address !== undefined) return on(gateway.address);
  const { host } = usualAddress;
  const port = await freePort(usualAddress.port);
  if (port !== usualAddress.port) return on({ host, port });
  return on(usualAddress).catch(async () => on({ host, port: await freePort() }));
}
