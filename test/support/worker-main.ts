import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileStore } from '../../src/artifacts/file-store';
import { exitWithParent } from '../../src/embedded/exit-with-parent';
import { createLogger } from '../../src/logger';
import { createModels } from '../../src/models/model-port';
import { loadToolModules } from '../../src/tools/modules/load-tool-modules';
import { createRegistry } from '../../src/tools/registry';
import { runWorker } from '../../src/worker/run-worker';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { testPolicy } from './test-policy';
import { ok, type RunContext, tool } from './test-tools';
import { testVersions } from './test-versions';
import type { WorkerOrders } from './worker-process';

/** Short, for a test waits until a read has timed out. */
const getTimeoutMs = 2_000;

/**
 * A worker as a process of its own, for tests that stop and kill it. Its tools count outside of it: each run appends its
 * key to a file before it works and once more after.
 */
async function main({
  databaseUrl,
  temporalAddress,
  namespace,
  model,
  bundle,
  dataDir,
  objects,
  host,
  effects,
  modules = [],
}: WorkerOrders) {
  exitWithParent();
  const put = async ({ ms }: Record<string, unknown>, { idempotencyKey, signal }: RunContext) => {
    appendFileSync(effects, `begin ${idempotencyKey}\n`);
    await sleep(Number(ms ?? 0), undefined, { signal });
    appendFileSync(effects, `end ${idempotencyKey}\n`);
    return ok('Put.');
  };
  const worker = await runWorker({
    databaseUrl,
    temporal: { address: temporalAddress, namespace, connection: {} },
    models: createModels({ scripted: model }),
    tools: createRegistry([
      tool({ name: 'put', effect: 'idempotent', run: put }),
      tool({ name: 'put_slowly', effect: 'idempotent', quick: false, run: put }),
      tool({
        name: 'get',
        quick: false,
        timeoutMs: getTimeoutMs,
        run: async ({ url }, { signal }) => ok(await (await fetch(String(url), { signal })).text()),
      }),
      ...(await loadToolModules(modules)).flatMap((source) => source.tools),
    ]),
    policy: testPolicy(),
    workspaces: createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
    artifacts: createFileStore(objects),
    host,
    versions: testVersions,
    workflows: { codePath: bundle },
    logger: createLogger('warn', `worker ${process.pid}`),
  });
  process.send?.('ready');
  await worker.done;
}

main(JSON.parse(process.argv[2] ?? '')).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
