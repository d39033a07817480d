import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { type Config, configOfProcess } from '../config';
import { openLedgerPool } from '../ledger/database';
import { namePattern } from '../protocol/ids';
import { CliError } from './cli-error';
import { commandsFor } from './commands-for';
import type { CommonOptions } from './common-options';
import { exitCodes } from './exit-codes';
import { requiredServers } from './servers';
import { databaseError, temporalError } from './unreachable';

/** What a command works with. Temporal is connected to when it is first asked for. */
export interface Session {
  readonly config: Config;
  readonly tenant: string;
  /** Checked: the database answers and has the ledger. */
  readonly pool: Pool;
  /** Rejects with CliError where Temporal cannot be reached. */
  temporal<T>(use: (client: Client) => Promise<T>): Promise<T>;
}

/**
 * Opens what `up` runs on this data folder, or what the environment names, hands it to `work`, and closes it after.
 * Rejects with CliError (exit code 5) where there is nothing or it does not answer.
 */
export async function withSession<T>(options: CommonOptions, work: (session: Session) => Promise<T>): Promise<T> {
  const config = configOfProcess(options);
  const tenant = checkedTenant(config, options.tenant);
  const servers = await requiredServers(config);
  const pool = openLedgerPool(servers.databaseUrl, 'holdfast cli');
  let client: Promise<Client> | undefined;
  try {
    await pool.query('select 1 from attempts limit 0').catch((error) => {
      throw databaseError(error, servers.databaseUrl);
    });
    const connect = () => {
      const { connectTemporal }: typeof import('../temporal/connect') = require('../temporal/connect');
      return connectTemporal(servers.temporal);
    };
    const temporal = async <R>(use: (client: Client) => Promise<R>): Promise<R> => {
      try {
        client ??= connect();
        return await use(await client);
      } catch (error) {
        throw temporalError(error, servers.temporal);
      }
    };
    return await work({ config, tenant, pool, temporal });
  } catch (error) {
    throw databaseError(forTenant(tenant, error), servers.databaseUrl);
  } finally {
    await pool.end();
    await client?.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
  }
}

/** What an error says to do next is for whose attempts the command was about. */
function forTenant(tenant: string, error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  const { exitCode, message, next } = error;
  return new CliError(exitCode, commandsFor(tenant, message), next && commandsFor(tenant, next));
}

function checkedTenant({ tenants }: Config, tenant: string): string {
  if (!namePattern.test(tenant)) {
    throw new CliError(exitCodes.usage, `"${tenant}" is no tenant name: a-z, 0-9, ".", "_" and "-", at most 63.`);
  }
  if (tenants !== undefined && tenants[tenant] === undefined) {
    const known = Object.keys(tenants).join(', ');
    throw new CliError(exitCodes.usage, `The configuration names no tenant "${tenant}".`, `It names ${known}.`);
  }
  return tenant;
}
