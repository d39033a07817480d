import { type Config, configOfProcess } from './config';
import { usualAddress } from './config/gateway';
import { exitWithParent } from './embedded/exit-with-parent';
import { reportReady } from './embedded/report-ready';
import { startGateway } from './gateway/start-gateway';
import { createLogger } from './logger';

/** The gateway process: configuration in, serving until a signal. */
async function main(): Promise<void> {
  exitWithParent();
  const config = configOfProcess();
  const logger = createLogger(config.logLevel, 'gateway');
  const signalled = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
  const address = config.gateway.address ?? usualAddress;
  const gateway = await startGateway({ config, ...serversOf(config), address, logger });
  reportReady();
  logger.info({ url: gateway.url }, 'serving');
  logger.info({ signal: await signalled }, 'stopping');
  await gateway.stop();
}

function serversOf({ databaseUrl, temporal }: Config) {
  if (databaseUrl === undefined || temporal === undefined) {
    throw new Error('A gateway needs DATABASE_URL and TEMPORAL_ADDRESS; `holdfast up` starts one with both.');
  }
  return { databaseUrl, temporal };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`gateway: ${why}\n`, () => process.exit(1));
  },
);
