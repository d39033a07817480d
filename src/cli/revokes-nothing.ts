import type { RevocationKind } from '../activities/ledger-port';
import type { Config } from '../config';
import { seenBefore } from '../ledger/queries/seen-before';
import type { Session } from '../requests/session';
import { knownTools } from '../tools/load-tools';
import { nearestName } from '../tools/nearest-name';

/**
 * A warning where neither configuration nor the ledger knows what was revoked: most likely it is misspelt, and what was meant
 * is still allowed. Undefined where it is known. Rejects where the tools cannot be loaded, or the database not be reached.
 */
export async function revokesNothing(
  { config, pool, tenant }: Pick<Session, 'config' | 'pool' | 'tenant'>,
  kind: RevocationKind,
  value: string,
): Promise<string | undefined> {
  const names = await configured(config, kind);
  if (names.includes(value) || (await seenBefore(pool, tenant, kind, value))) return undefined;
  const near = nearestName(value, names);
  const meant = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `Nothing here has to do with the ${kind} "${value}" so far.${meant} The revocation stands all the same; \`holdfast revoke --list\` shows it.`;
}

async function configured(config: Config, kind: RevocationKind): Promise<readonly string[]> {
  switch (kind) {
    case 'tool': {
      const { tools, ofServers } = await knownTools(config);
      return [...tools.names(), ...ofServers.map(({ name }) => name)];
    }
    case 'principal':
      return config.policy.principals.map(({ name }) => name);
    case 'credential':
      return await credentialDomains(config);
    case 'target':
    case 'approval':
      return []; // only what was done or asked has these
  }
}

async function credentialDomains(config: Config): Promise<readonly string[]> {
  const { tools } = await knownTools(config);
  const ofModules = tools.names().map((name) => tools.get(name));
  const ofServers = config.mcp.flatMap((server) => [server.default, ...Object.values(server.tools)]);
  return [...ofModules, ...ofServers].flatMap((tool) =>
    tool !== undefined && 'credentialDomain' in tool && tool.credentialDomain !== undefined
      ? [tool.credentialDomain]
      : [],
  );
}
