import { join } from 'node:path';
import { freePort } from './free-port';
import type { ManagedProcess, StopSteps } from './managed-process';
import { spawnServer } from './spawn-server';
import { checkTemporalServes, registeredSearchAttributes } from './temporal-probe';
import { searchAttributes, temporalSettings } from './temporal-settings';
import { waitUntilReady } from './wait-until-ready';

/** A warm start takes about a second; a busy machine and a large file take longer. */
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

export interface TemporalServer {
  readonly process: ManagedProcess;
  readonly ports: TemporalPorts;
}

/**
 * Starts Temporal's development server on a SQLite file of the data folder and returns when it serves and knows our
 * search attributes. The earlier ports are kept where they are free.
 */
export async function startTemporalServer(options: {
  cliPath: string;
  dataDir: string;
  earlierPorts?: TemporalPorts | undefined;
}): Promise<TemporalServer> {
  const { cliPath, dataDir, earlierPorts } = options;
  const ports = {
    grpc: await freePort(earlierPorts?.grpc),
    ui: await freePort(earlierPorts?.ui),
    metrics: await freePort(earlierPorts?.metrics),
  };
  const logFile = join(dataDir, 'logs', 'temporal.log');
  const listen = ['--ip', '127.0.0.1', '--port', ports.grpc, '--ui-port', ports.ui, '--metrics-port', ports.metrics];
  const process = await spawnServer({
    command: cliPath,
    args: ['server', 'start-dev', ...listen.map(String), '--db-filename', join(dataDir, 'temporal.db'), ...temporalSettings()],
    // The CLI reads a person's own Temporal configuration from the home folder; this server has none.
    env: { HOME: dataDir },
    cwd: dataDir,
    logFile,
    stopSteps,
  });
  try {
    await waitUntilReady(process, { name: 'Temporal', logFile, limitMs: readyTimeoutMs }, () => ready(`127.0.0.1:${ports.grpc}`));
  } catch (error) {
    await process.stop();
    throw error;
  }
  return { process, ports };
}

async function ready(address: string): Promise<void> {
  await checkTemporalServes(address);
  const registered = await registeredSearchAttributes(address, embeddedNamespace, searchAttributes);
  if (registered.length < searchAttributes.length) throw new Error('its search attributes are not registered yet');
}
