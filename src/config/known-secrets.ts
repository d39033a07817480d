import type { Config } from '../config';

/** Variables that hold secrets, by what they are called; `…_FILE` and `…_ID` name places and accounts. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH|DSN)$/i;
const secretHeader = /auth|key|token|secret|cookie/i;

/**
 * Every value that this process knows to be a secret (R10.4): what configuration names by its variable, headers whose name says
 * so, variables whose name says so, and passwords in addresses.
 */
export function knownSecrets({
  models,
  mcp,
  databases,
  environment,
}: Pick<Config, 'models' | 'mcp' | 'databases' | 'environment'>): readonly string[] {
  const ofModels = Object.values(models).flatMap(({ apiKey, headers }) => [
    apiKey?.(),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) => (secretHeader.test(name) ? [value] : [])),
  ]);
  const settings = mcp.flatMap(({ transport }) =>
    Object.values(transport.kind === 'http' ? transport.headers : transport.env),
  );
  const ofServers = settings.map((setting) => (typeof setting === 'string' ? undefined : setting.read()));
  const ofDatabases = Object.values(databases).flatMap((database) =>
    database.kind === 'postgres' ? [database.url(), ...passwordsIn(database.url() ?? '')] : [],
  );
  const ofEnvironment = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [...(secretName.test(name) ? [value] : []), ...passwordsIn(value)],
  );
  const found = [...ofModels, ...ofServers, ...ofDatabases, ...ofEnvironment].flatMap((value) => value || []);
  return [...new Set(found)];
}

/** As they stand in the address, and as they are meant where signs of them are escaped. */
function passwordsIn(value: string): readonly string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i.exec(value)?.[1];
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
