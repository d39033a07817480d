import type { Client } from '@temporalio/client';
import { type Config, configOfProcess } from '../config';
import { openLedgerPool } from '../ledger/database';
import { namePattern } from '../protocol/ids';
import { RequestRefused } from '../requests/request-refused';
import type { Sender, Session } from '../requests/session';
import { databaseError, temporalError } from '../requests/unreachable';
import { commandsFor } from '../requests/words/commands-for';
import { CliError } from './cli-error';
import type { CommonOptions } from './common-options';
import { exitCodes } from './exit-codes';
import { loginName } from './login-name';
import { requiredServers } from './servers';
import { tellAside } from './tell';

export interface SessionOptions extends CommonOptions {
  /** Who acts; the login name where left out. */
  readonly by?: string;
}

/**
 * Opens what `up` runs on this data folder, or what the environment names, hands it to `work`, and closes it after.
 * Rejects with CliError or RequestRefused (exit code 5) where there is nothing or it does not answer.
 */
export async function withSession<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
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
    const sender: Sender =
      options.by === undefined ? { door: 'cli', name: loginName(), login: true } : { door: 'cli', name: options.by };
    const session: Session = { config, tenant, pool, sender, temporal, aside: (line) => tellAside({ tenant }, line) };
    return await work(session);
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
  const words = (text: string) => commandsFor(tenant, text);
  if (error instanceof RequestRefused)
    return new RequestRefused(error.code, words(error.message), error.next && words(error.next));
  if (error instanceof CliError)
    return new CliError(error.exitCode, words(error.message), error.next && words(error.next));
  return error;
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
