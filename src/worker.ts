import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ToolPort, VersionsPort } from './activities/ports';
import { createFileStore } from './artifacts/file-store';
import { type Config, configOfProcess } from './config';
import { knownSecrets } from './config/known-secrets';
import { createDatabases } from './databases/create-databases';
import { secretHider } from './domain/secrets/hide-secrets';
import { exitWithParent } from './embedded/exit-with-parent';
import { reportReady } from './embedded/report-ready';
import { createLogger } from './logger';
import { createModels } from './models/model-port';
import { createPolicy } from './policy/create-policy';
import { installedVersion } from './requests/running/installed-version';
import { loadTools } from './tools/load-tools';
import type { Skill } from './tools/skills/skill';
import { withoutSecrets } from './tools/without-secrets';
import { queuesOf } from './worker/queues';
import { runWorker, type WorkerParts } from './worker/run-worker';
import { createWorkspaces } from './workspace/create-workspaces';
import { environmentVersion } from './workspace/environment-version';
import { hostName } from './workspace/host-name';

/** The worker process: configuration in, adapters joined, polling until a signal. */
async function main(): Promise<void> {
  exitWithParent();
  const queues = queuesOf(process.argv.slice(2));
  const config = configOfProcess();
  const logger = createLogger(config.logLevel, 'worker');
  logThroughPino(logger);
  const { tools: loaded, skills, close } = await loadTools(config, logger);
  const hide = secretHider(knownSecrets(config));
  const tools = withoutSecrets(loaded, hide);
  try {
    if (keepsToItself(config)) logger.warn(ownStore);
    const versions = await versionsHere(config, skills);
    await work({
      ...adapters(config, tools, logger),
      ...servers(config),
      versions,
      hide,
      workflows: workflows(),
      queues,
      logger,
    });
  } finally {
    await close();
  }
}

async function work(parts: WorkerParts): Promise<void> {
  const { logger } = parts;
  const worker = await runWorker(parts);
  const stop = (signal: string) => {
    logger.info({ signal }, 'stopping');
    worker.stop().catch((error) => logger.error({ error: String(error) }, 'stopping failed'));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal));
  reportReady();
  logger.info({ version: parts.deployment }, 'polling');
  await worker.done;
}

function adapters(config: Config, tools: ToolPort, logger: Logger) {
  const policy = createPolicy({ ...config.policy, tools });
  for (const { message, at } of policy.warnings) logger.warn({ ...at }, `policy: ${message}`);
  return {
    models: createModels(config.models),
    tools,
    policy,
    workspaces: createWorkspaces({
      dataDir: config.dataDir,
      sandbox: sandboxOf(config),
      env: config.environment,
      files: config.sealed,
      sources: config.workspace.sources,
    }),
    artifacts: createFileStore(config.objectStore),
    host: config.workspace.hosts === 'many' ? hostName(config.dataDir) : undefined,
    databases: createDatabases(config.databases),
    tenantCosts: config.tenantCosts,
  };
}

/** Another host could read nothing of what this one keeps. */
const keepsToItself = ({ workspace, environment }: Config) =>
  workspace.hosts === 'many' && !environment['HOLDFAST_OBJECT_STORE'];
const ownStore =
  'HOLDFAST_OBJECT_STORE is not set, so long texts and snapshots lie in the data folder of this worker alone. Name a place that every worker reaches, or say workspace: { hosts: one } in holdfast.yaml where this is the only host.';

const sandboxOf = ({ workspace }: Config) => (workspace.sandbox === 'required' ? 'bubblewrap' : 'auto');

async function versionsHere(config: Config, skills: readonly Skill[]): Promise<VersionsPort> {
  return {
    code: installedVersion(),
    environment: await environmentVersion(sandboxOf(config)),
    skills: Object.fromEntries(skills.map(({ name, version }) => [name, version])),
  };
}

function servers({ databaseUrl, temporal, deployment }: Config) {
  if (databaseUrl === undefined || temporal === undefined) {
    throw new Error('A worker needs DATABASE_URL and TEMPORAL_ADDRESS; `holdfast up` starts one with both.');
  }
  return { databaseUrl, temporal, ...(deployment !== undefined && { deployment }) };
}

/** Bundled at build time; a worker then starts in half the time. */
function workflows() {
  const codePath = join(__dirname, 'workflow-bundle.js');
  return existsSync(codePath) ? { codePath } : join(__dirname, 'workflows');
}

function logThroughPino(logger: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      logger[temporalLevels[level]]({ ...meta }, message);
    }),
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
  });
}

const temporalLevels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

main().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  // The SDK's runtime, once installed, holds a process that has nothing left to do, and hears its signals.
  process.stderr.write(`worker: ${why}\n`, () => process.exit(1));
});
