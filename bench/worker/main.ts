import { join } from 'node:path';
import { createFileStore } from '../../src/artifacts/file-store';
import { exitWithParent } from '../../src/embedded/exit-with-parent';
import { reportReady } from '../../src/embedded/report-ready';
import { createLogger } from '../../src/logger';
import { createModels } from '../../src/models/model-port';
import { createPolicy } from '../../src/policy/create-policy';
import { createRegistry } from '../../src/tools/registry';
import { runWorker } from '../../src/worker/run-worker';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { longTools } from '../lib/long-attempt';
import { modelConfig } from '../lib/model-config';
import { noWorkspaces } from '../lib/no-workspaces';
import { putTool } from '../lib/put-tool';
import { waitTool } from '../lib/wait-tool';
import type { BenchWorkerSetup } from './setup';

/** Beside the source: the compiled benchmark lies elsewhere, and these files are not compiled. Each names the tools there are. */
const policyFile = ({ asks, waits, long, files }: BenchWorkerSetup) =>
  join(
    __dirname,
    '../../../bench/worker',
    `policy${files ? '-files' : long ? '-long' : waits ? '-waits' : asks ? '-asking' : ''}.yaml`,
  );

/** The worker as it is, with one tool and no workspaces, or with the built-in ones. */
async function main(): Promise<void> {
  exitWithParent();
  const setup: BenchWorkerSetup = JSON.parse(process.argv[2] ?? '');
  const { databaseUrl, temporal, dataDir, modelUrl, quick, toolLog, waits = false, long, files } = setup;
  const plain = waits ? waitTool(quick) : putTool(quick, toolLog);
  const tools = createRegistry(files ? [] : long ? longTools(long, quick) : [plain]);
  const worker = await runWorker({
    databaseUrl,
    temporal: { ...temporal, connection: {} },
    models: createModels({
      scripted: { ...modelConfig(modelUrl, quick), ...(long && { contextTokens: long.contextTokens }) },
    }),
    tools,
    policy: createPolicy({ files: [policyFile(setup)], principals: [], tools, singleUser: true }),
    workspaces: files ? createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }) : noWorkspaces,
    host: files?.host,
    artifacts: createFileStore(join(dataDir, 'objects')),
    versions: { code: 'bench', environment: 'bench' },
    workflows: { codePath: join(__dirname, '../../src/workflow-bundle.js') },
    logger: createLogger('warn', 'worker'),
  });
  process.once('SIGTERM', () => void worker.stop());
  reportReady();
  await worker.done;
  process.exit(0); // the channel to the parent would keep it, and a profile is written at the end
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
