import { loadConfig } from '../../src/config';
import { exitWithParent } from '../../src/embedded/exit-with-parent';
import { startGateway } from '../../src/gateway/start-gateway';
import { createLogger } from '../../src/logger';
import type { TemporalTarget } from '../../src/temporal/target';

/** What the gateway of a benchmark is told. */
export interface BenchGatewaySetup {
  readonly databaseUrl: string;
  readonly temporal: TemporalTarget;
  readonly dataDir: string;
}

/** More than any benchmark asks: what a reader costs is measured, and not the limit. */
const plenty = 1_000_000;

/** The gateway as it is, on a free port, which is its first word. */
async function main(): Promise<void> {
  exitWithParent();
  const { dataDir, ...servers }: BenchGatewaySetup = JSON.parse(process.argv[2] ?? '');
  const config = loadConfig({ cwd: dataDir, env: {} });
  const gateway = await startGateway({
    config: { ...config, gateway: { ...config.gateway, requestsPerMinute: plenty } },
    ...servers,
    address: { host: '127.0.0.1', port: 0 },
    logger: createLogger('warn', 'gateway'),
  });
  process.once('SIGTERM', () => void gateway.stop().then(() => process.exit(0)));
  process.send?.(gateway.url);
}

main().catch((error: unknown) => {
  process.stderr.write(`gateway: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
