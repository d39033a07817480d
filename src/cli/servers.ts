import type { Config } from '../config';
import { attachToStack } from '../embedded/attach';
import type { TemporalTarget } from '../temporal/target';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

export interface Servers {
  readonly databaseUrl: string;
  readonly temporal: TemporalTarget;
}

/** What the environment names, and else what `up` runs on this data folder; a part is absent where neither has it. */
export async function knownServers(config: Config): Promise<Partial<Servers>> {
  const running = await attachToStack(config.dataDir);
  const databaseUrl = config.databaseUrl ?? running?.databaseUrl;
  const temporal =
    config.temporal ?? (running && { address: running.temporalAddress, namespace: running.namespace, connection: {} });
  return { ...(databaseUrl !== undefined && { databaseUrl }), ...(temporal !== undefined && { temporal }) };
}

/** The same, whole. Rejects with CliError where a part is absent. */
export async function requiredServers(config: Config): Promise<Servers> {
  const { databaseUrl, temporal } = await knownServers(config);
  if (databaseUrl !== undefined && temporal !== undefined) return { databaseUrl, temporal };
  const missing = databaseUrl === undefined ? 'DATABASE_URL' : 'TEMPORAL_ADDRESS';
  throw new CliError(
    exitCodes.unreachable,
    `Holdfast is not running on ${config.dataDir}.`,
    `Start it with \`holdfast up\` in another terminal, or name servers that run elsewhere (${missing} is not set).`,
  );
}
