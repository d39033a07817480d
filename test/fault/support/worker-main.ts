import { createFileStore } from '../../../src/artifacts/file-store';
import { exitWithParent } from '../../../src/embedded/exit-with-parent';
import { createLedger } from '../../../src/ledger/ledger';
import { createLogger } from '../../../src/logger';
import { createModels } from '../../../src/models/model-port';
import type { ModelConfig } from '../../../src/models/models-config';
import { createRegistry } from '../../../src/tools/registry';
import { runWorker } from '../../../src/worker/run-worker';
import { createWorkspaces } from '../../../src/workspace/create-workspaces';
import { testPolicy, writesAsk } from '../../support/test-policy';
import { testVersions } from '../../support/test-versions';
import type { Ways } from '../../support/ways';
import { shopTools } from './shop-tools';
import { say, Trigger } from './trigger';
import { watchedLedger } from './watched-ledger';

/** What a worker of the kill test is told; JSON. */
export interface FaultWorkerOrders extends Ways {
  readonly model: ModelConfig;
  /** File of the bundled workflows. */
  readonly bundle: string;
  readonly dataDir: string;
  readonly shopUrl: string;
  readonly sends: string;
  /** Tools that a person must allow, by name. */
  readonly asks: readonly string[];
  /** What this worker has otherwise than the others, where anything (R12.2). */
  readonly differs?: {
    readonly noModel?: true;
    /** Stands in every tool's description, and so makes it another version. */
    readonly edition?: string;
    readonly withoutTool?: string;
    readonly policy?: string;
    readonly code?: string;
  };
}

/** The worker as it is, with the shop's tools, and a ledger that tells the trigger where it is. */
async function main(orders: FaultWorkerOrders): Promise<void> {
  const { databaseUrl, temporalAddress, namespace, model, bundle, dataDir, asks, differs = {} } = orders;
  const trigger = new Trigger();
  exitWithParent();
  const policy = writesAsk();
  const decides = testPolicy((facts) => (asks.includes(facts.tool) ? policy(facts) : { kind: 'allow', rule: 'all' }));
  const tools = shopTools({ ...orders, ...differs, reach: (point, op) => trigger.reach(point, op) });
  const worker = await runWorker({
    databaseUrl,
    openLedger: (pool) => watchedLedger(createLedger(pool), trigger),
    temporal: { address: temporalAddress, namespace, connection: {} },
    models: createModels(differs.noModel ? {} : { scripted: model }),
    tools: createRegistry(tools.filter(({ name }) => name !== differs.withoutTool)),
    policy: { ...decides, version: differs.policy ?? decides.version },
    workspaces: createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
    artifacts: createFileStore(`${dataDir}/objects`),
    versions: { ...testVersions, code: differs.code ?? testVersions.code },
    workflows: { codePath: bundle },
    logger: createLogger('info', `worker ${process.pid}`),
  });
  await say({ kind: 'ready' });
  await worker.done;
}

main(JSON.parse(process.argv[2] ?? '')).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
