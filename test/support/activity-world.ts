import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { ActivityDeps } from '../../src/activities/deps';
import { Executions } from '../../src/activities/executions';
import type { PolicyPort, ToolDefinition, WorkspacePort } from '../../src/activities/ports';
import { createFileStore } from '../../src/artifacts/file-store';
import { defaultLimits, type Limits } from '../../src/domain/budget/account';
import type { Contract } from '../../src/domain/contract/contract';
import { identify } from '../../src/embedded/process/process-identity';
import { openLedgerPool } from '../../src/ledger/database';
import { type Lease, leaseRenewMs, registerWorker } from '../../src/ledger/leases';
import { createLedger } from '../../src/ledger/ledger';
import { startAttempt } from '../../src/ledger/start-attempt';
import { createModels } from '../../src/models/model-port';
import type { ModelConfig } from '../../src/models/models-config';
import { type ScriptedModel, startScriptedModel } from '../../src/models/scripted/scripted-model';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { StartSnapshot } from '../../src/protocol/attempt';
import type { Call, CallKind } from '../../src/protocol/calls';
import type { AttemptRef } from '../../src/protocol/ids';
import { createRegistry } from '../../src/tools/registry';
import { ledgerDatabase } from './ledger-database';
import { tempFolder } from './temp-folder';
import { testPolicy } from './test-policy';
import { testVersions } from './test-versions';

/** The activities of one worker over a database of their own and a scripted model; no Temporal. Attempts may call every tool given. */
export interface ActivityWorld {
  readonly pool: Pool;
  readonly model: ScriptedModel;
  /** Folder of the object store, as createFileStore has it. */
  readonly objects: string;
  /**
   * The dependencies of a worker; a second call is a second worker with a lease of its own. Leases are kept, as a worker's
   * process does; one whose row a test has made too old is over for good.
   */
  worker(): Promise<ActivityDeps & { readonly leaseId: string; renew(): Promise<boolean> }>;
  attempt(options?: AttemptOptions): Promise<AttemptRef>;
  close(): Promise<void>;
}
export interface AttemptOptions {
  readonly task?: string;
  readonly input?: string;
  readonly contract?: Partial<Contract>;
  readonly limits?: Partial<Limits>;
  readonly models?: StartSnapshot['models'];
  /** Who starts it; nobody known where left out. */
  readonly by?: string;
  /** It knows of the other attempts of its task that began so; each begins afresh where left out. */
  readonly kin?: true;
}

export const dialogContract: Contract = {
  kind: 'dialog',
  goal: 'Answer.',
  constraints: [],
  forbidden: [],
  tools: [],
  acceptance: [],
};

/** Fails where an attempt of this world needs a workspace: it has none. */
const noWorkspaces = new Proxy({} as WorkspacePort, {
  get: (_target, name) => () => Promise.reject(new Error(`This world has no workspaces (${String(name)}).`)),
});

export async function activityWorld(
  transcript: Transcript,
  tools: readonly ToolDefinition[] = [],
  modelConfig: Partial<ModelConfig> = {},
  policy: PolicyPort = testPolicy(),
): Promise<ActivityWorld> {
  const database = await ledgerDatabase();
  const pool = openLedgerPool(database.url);
  const model = await startScriptedModel({ transcript });
  const objects = tempFolder('holdfast-objects-');
  const models = createModels({
    scripted: {
      provider: 'openai-compatible',
      model: 'scripted',
      baseUrl: model.url,
      contextTokens: 32_000,
      maxOutputTokens: 1_000,
      timeoutMs: 10_000,
      quick: true,
      price: { inputPerMTok: 1, outputPerMTok: 4 },
      headers: { 'X-Step': '{attempt}/{step}' },
      ...modelConfig,
    },
  });
  const snapshot = (options: AttemptOptions): StartSnapshot => ({
    kind: options.contract?.kind ?? 'dialog',
    hasWorkspace: false,
    criteria: [],
    models: options.models ?? [{ name: 'scripted', quick: true, timeoutMs: 10_000 }],
    flow: 1,
    stepsPerRun: 100,
    searchAttributes: false,
  });
  const leases: { readonly lease: Lease; readonly executions: Executions }[] = [];
  let renewing: Promise<unknown> = Promise.resolve();
  let busy = false;
  const renewAll = async () => {
    for (const { lease, executions } of leases) await lease.renew(executions.ids());
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    renewing = renewAll()
      .catch(() => undefined) // a test that breaks the database has its own say about it
      .finally(() => {
        busy = false;
      });
  }, leaseRenewMs);
  return {
    pool,
    model,
    objects,
    async worker() {
      const lease = await registerWorker(pool, randomUUID(), {
        pid: process.pid,
        pidStarted: identify(process.pid)?.startedAt ?? '',
      });
      const executions = new Executions(() => lease.id);
      leases.push({ lease, executions });
      const ports = {
        models,
        tools: createRegistry(tools),
        policy,
        workspaces: noWorkspaces,
        artifacts: createFileStore(objects),
        versions: testVersions,
      };
      return {
        ledger: createLedger(pool),
        executions,
        ...ports,
        leaseId: lease.id,
        renew: () => lease.renew(executions.ids()),
      };
    },
    async attempt(options = {}) {
      const outcome = await startAttempt(pool, {
        tenant: 'default',
        task: options.task ?? 'talk',
        contract: { ...dialogContract, tools: tools.map(({ name }) => name), ...options.contract },
        limits: { ...defaultLimits, ...options.limits },
        input: options.input ?? 'Hello?',
        snapshot: snapshot(options),
        versions: {},
        beside: true,
        ...(options.by !== undefined && { by: options.by }),
      });
      const { ref } = outcome.attempt;
      if (!options.kin) await pool.query('update attempts set kin_after = number - 1 where key = $1', [ref.key]);
      return ref;
    },
    async close() {
      clearInterval(timer);
      await renewing;
      await model.stop();
      await pool.end();
      await database.drop();
    },
  };
}

/** A call as the workflow builds it. */
export function callOf<Kind extends CallKind>(
  ref: AttemptRef,
  n: number,
  args: Call<Kind>['args'],
  beside: Partial<Call<Kind>> = {},
): Call<Kind> {
  return { ref, n, args, now: Date.now(), activeMs: 0, ...beside } as Call<Kind>;
}

export const never = new AbortController().signal;
