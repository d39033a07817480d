import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseConfigs } from './config/databases';
import { type Deployment, deploymentOf } from './config/deployment';
import { type GatewayConfig, gatewayConfig } from './config/gateway';
import { limitsOf, tenantCostsOf } from './config/limits';
import { mcpServers } from './config/mcp';
import { configuredModels, type Models, modelsOfEnvironment } from './config/models';
import { type PolicyConfig, policyConfig } from './config/policy';
import { configSchema } from './config/schema';
import { sealedFolders } from './config/sealed';
import { temporalTarget } from './config/temporal-target';
import type { DatabaseConfig } from './databases/database-config';
import type { Limits } from './domain/budget/account';
import type { TenantCost } from './domain/budget/tenant-cost';
import { InputError } from './located-yaml/input-error';
import { readLocated } from './located-yaml/located-document';
import type { TemporalTarget } from './temporal/target';
import type { McpServerConfig } from './tools/mcp/mcp-config';

/** Everything that differs by place, decided once. Nothing else reads the environment. */
export interface Config {
  /** The holdfast.yaml that was read, where there is one. */
  readonly file?: string;
  /** Absolute; what paths on the command line are relative to. */
  readonly calledFrom: string;
  /** Absolute; what the embedded servers, workspaces and artifacts are kept in. */
  readonly dataDir: string;
  readonly models: Models;
  /** Limits by tenant; undefined where the file names no tenants, and then any may start tasks. */
  readonly tenants?: Readonly<Record<string, Partial<Limits>>>;
  /** What the attempts of a tenant may cost together; a tenant that is not there has no such limit. */
  readonly tenantCosts?: Readonly<Record<string, TenantCost>>;
  readonly workspace: {
    readonly sources?: readonly string[];
    readonly sandbox: 'auto' | 'required';
    /** `many`: workers have data folders of their own. */
    readonly hosts: 'one' | 'many';
  };
  /** Absolute paths of modules that export tools. */
  readonly toolModules: readonly string[];
  readonly mcp: readonly McpServerConfig[];
  /** Absolute; each holds a SKILL.md, or folders that do. */
  readonly skillFolders: readonly string[];
  /** Of the user, by name. */
  readonly databases: Readonly<Record<string, DatabaseConfig>>;
  /** Absolute folders of the files of sealed tests, by name. */
  readonly sealed: Readonly<Record<string, string>>;
  readonly policy: PolicyConfig;
  readonly gateway: GatewayConfig;
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl?: string;
  /** Undefined: the embedded Temporal server. */
  readonly temporal?: TemporalTarget;
  /** Which build a worker is; undefined: workers have no versions, as the embedded one. */
  readonly deployment?: Deployment;
  /** Folder of the artifacts. */
  readonly objectStore: string;
  readonly logLevel: LogLevel;
  /** The process's own, for those who start programs: they pass on an allow list of it. */
  readonly environment: ConfigSources['env'];
  readonly embedded: { readonly temporalCliPath?: string; readonly pipIndexUrl?: string };
}
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface ConfigSources {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Options of the command line; they win over the environment. */
  readonly flags?: { readonly config?: string; readonly dataDir?: string };
}

/** Of this process. Throws InputError, as loadConfig does. */
export function configOfProcess(flags: ConfigSources['flags'] = {}): Config {
  return loadConfig({ cwd: process.cwd(), env: process.env, flags });
}

/** Throws InputError with file, line and column where the configuration is wrong. */
export function loadConfig({ cwd, env, flags = {} }: ConfigSources): Config {
  if (env['HOLDFAST_ENCRYPTION_KEY']) {
    throw new InputError(
      [{ message: 'HOLDFAST_ENCRYPTION_KEY is set, and this version does not encrypt payloads' }],
      'Unset it to go on without encryption.',
    );
  }
  const calledFrom = resolve(cwd, env['HOLDFAST_CALLED_FROM'] || '.');
  const file = flags.config === undefined ? configFile(cwd, env['HOLDFAST_CONFIG']) : resolve(calledFrom, flags.config);
  const written = file === undefined ? {} : readLocated(file, configSchema).value;
  const folder = file === undefined ? cwd : dirname(file);
  const dataDir =
    flags.dataDir === undefined
      ? resolve(cwd, env['HOLDFAST_DATA_DIR'] ?? '.holdfast')
      : resolve(calledFrom, flags.dataDir);
  const temporal = temporalTarget(env);
  const deployment = deploymentOf(env);
  const singleUser = isSingleUser(env, temporal);
  // Embedded, there is one worker; elsewhere somebody who starts a second one must not lose the work of the first.
  const { sources, sandbox = 'auto', hosts = singleUser ? 'one' : 'many' } = written.workspace ?? {};
  return {
    ...(file !== undefined && { file }),
    calledFrom,
    dataDir,
    models: written.models === undefined ? modelsOfEnvironment(env) : configuredModels(written.models, env),
    ...(written.tenants !== undefined && {
      tenants: Object.fromEntries(
        Object.entries(written.tenants).map(([name, { budget }]) => [name, limitsOf(budget ?? {})]),
      ),
    }),
    ...(written.tenants !== undefined && { tenantCosts: tenantCostsOf(written.tenants) }),
    workspace: { sandbox, hosts, ...(sources !== undefined && { sources }) },
    toolModules: (written.tools ?? []).map((path) => resolve(folder, path)),
    mcp: mcpServers(written.mcp ?? {}, folder, env),
    skillFolders: (written.skills ?? []).map((path) => resolve(folder, path)),
    databases: databaseConfigs(written.databases, folder, env),
    sealed: sealedFolders(written.sealed, folder),
    policy: policyConfig(written, folder, singleUser),
    gateway: gatewayConfig(written.gateway, env['HOLDFAST_GATEWAY']),
    ...(env['DATABASE_URL'] && { databaseUrl: env['DATABASE_URL'] }),
    ...(temporal !== undefined && { temporal }),
    ...(deployment !== undefined && { deployment }),
    objectStore: objectStoreFolder(cwd, dataDir, env['HOLDFAST_OBJECT_STORE']),
    logLevel: logLevel(env['LOG_LEVEL']),
    environment: env,
    embedded: {
      ...(env['TEMPORAL_CLI_PATH'] && { temporalCliPath: env['TEMPORAL_CLI_PATH'] }),
      ...(env['PIP_INDEX_URL'] && { pipIndexUrl: env['PIP_INDEX_URL'] }),
    },
  };
}

/** Servers that a child process is told of. */
export interface ServersOfChild {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}

/** The environment with which a child process comes to the same configuration, and to these servers. */
export function environmentOfChild(
  config: Config,
  servers: ServersOfChild,
): Readonly<Record<string, string | undefined>> {
  return {
    ...(config.temporal === undefined ? embeddedTemporal(config, servers) : config.environment),
    HOLDFAST_DATA_DIR: config.dataDir,
    ...(config.file !== undefined && { HOLDFAST_CONFIG: config.file }),
    ...(config.policy.singleUser && { [singleUserVariable]: 'yes' }),
    DATABASE_URL: servers.databaseUrl,
  };
}

/**
 * Without what the environment says of another Temporal service: its profile, keys and certificates do not fit this one,
 * and nobody would tell it which version of the worker takes new runs.
 */
function embeddedTemporal(config: Config, servers: ServersOfChild): Readonly<Record<string, string | undefined>> {
  const others = Object.entries(config.environment).filter(
    ([name]) => !ofOwnServers.some((prefix) => name.startsWith(prefix)),
  );
  return {
    ...Object.fromEntries(others),
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: servers.namespace,
  };
}

const ofOwnServers = ['TEMPORAL_', 'HOLDFAST_DEPLOYMENT', 'HOLDFAST_BUILD_ID'];

/** Tells a child of `up`, which is given servers by name, that they are the embedded ones. */
const singleUserVariable = 'HOLDFAST_SINGLE_USER';

function isSingleUser(env: ConfigSources['env'], temporal: TemporalTarget | undefined): boolean {
  return env[singleUserVariable] === 'yes' || (!env['DATABASE_URL'] && temporal === undefined);
}

function configFile(cwd: string, named: string | undefined): string | undefined {
  if (named !== undefined) return resolve(cwd, named);
  const usual = resolve(cwd, 'holdfast.yaml');
  return existsSync(usual) ? usual : undefined;
}

function objectStoreFolder(cwd: string, dataDir: string, url: string | undefined): string {
  if (!url) return resolve(dataDir, 'objects');
  if (url.startsWith('file://')) return fileURLToPath(url);
  if (!url.includes('://')) return resolve(cwd, url);
  throw new InputError([
    { message: 'HOLDFAST_OBJECT_STORE: this version keeps artifacts in a folder (file:///path) only' },
  ]);
}

function logLevel(name: string | undefined): LogLevel {
  const level = logLevels.find((known) => known === (name ?? 'info').toLowerCase());
  if (level === undefined)
    throw new InputError([{ message: `LOG_LEVEL is "${name}"; it is one of ${logLevels.join(', ')}` }]);
  return level;
}
