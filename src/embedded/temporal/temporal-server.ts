import { join } from 'node:path';
import { endLeftovers } from '../process/end-leftovers';
import { freePort } from '../process/free-port';
import type { ManagedProcess, StopSteps } from '../process/managed-process';
import { spawnServer } from '../process/spawn-server';
import { waitUntilReady } from '../process/wait-until-ready';
import { checkTemporalServes, registeredSearchAttributes } from './temporal-probe';
import { searchAttributes, temporalSettings } from './temporal-settings';

/** A warm start takes a fraction of a second; a busy machine and a large file take longer. */
const readyTimeoutMs = 60_000;
/** SQLite is safe at any moment, so an orderly end is worth only this much. */
const stopSteps: StopSteps = [{ signal: 'SIGTERM', graceMs: 5_000 }];
/** The namespace that the server makes by itself. */
export const embeddedNamespace = 'default';

export interface TemporalPorts {
  readonly grpc: number;
  readonly ui: number;
  readonly metrics: number;
}

/** The earlier ports where they are free, so that addresses survive a restart. */
export async function chooseTemporalPorts(earlier: TemporalPorts | undefined): Promise<TemporalPorts> {
  return {
    grpc: await freePort(earlier?.grpc),
    ui: await freePort(earlier?.ui),
    metrics: await freePort(earlier?.metrics),
  };
}

/**
 * Starts Temporal's development server on a SQLite file of the data folder and returns when it serves and knows our
 * search attributes. What a killed predecessor left is ended first, so only the holder of the stack's lock may call it.
 * Throws ServerEndedError where a port is taken.
 */
export async function startTemporalServer(options: {
  cliPath: string;
  dataDir: string;
  ports: TemporalPorts;
}): Promise<ManagedProcess> {
  const { cliPath, dataDir, ports } = options;
  const file = ['--db-filename', join(dataDir, 'temporal.db')];
  await endLeftovers(file, stopSteps);

  const listen = ['--ip', '127.0.0.1', '--port', ports.grpc, '--ui-port', ports.ui, '--metrics-port', ports.metrics];
  const logFile = join(dataDir, 'logs', 'temporal.log');
  const server = await spawnServer({
    command: cliPath,
    args: ['server', 'start-dev', ...listen.map(String), ...file, ...temporalSettings()],
    // The CLI reads a person's own Temporal configuration from the home folder; this server has none.
    env: { HOME: dataDir },
    cwd: dataDir,
    logFile,
    stopSteps,
  });
  await waitUntilReady(server, { name: 'Temporal', logFile, limitMs: readyTimeoutMs }, () => ready(ports));
  return server;
}

async function ready({ grpc }: TemporalPorts): Promise<void> {
  const address = `127.0.0.1:${grpc}`;
  await checkTemporalServes(address);
  const registered = await registeredSearchAttributes(address, embeddedNamespace, searchAttributes);
  if (registered.length < searchAttributes.length) throw new Error('its search attributes are not registered yet');
}
