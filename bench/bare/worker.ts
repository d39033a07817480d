import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Pool } from 'pg';
import { exitWithParent } from '../../src/embedded/exit-with-parent';
import { reportReady } from '../../src/embedded/report-ready';
import { createBareActivities } from './activities';
import { type BareSetup, bareTaskQueue } from './setup';

/** A worker with the same settings as ours where they bear on speed. */
async function main(): Promise<void> {
  exitWithParent();
  const { databaseUrl, address, namespace, modelUrl }: BareSetup = JSON.parse(process.argv[2] ?? '');
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const pool = new Pool({ connectionString: databaseUrl, max: 20 });
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    namespace,
    taskQueue: bareTaskQueue,
    workflowsPath: require.resolve('./workflows'),
    activities: createBareActivities(pool, modelUrl),
    stickyQueueScheduleToStartTimeout: '1 s',
    maxCachedWorkflows: 1_000,
  });
  process.once('SIGTERM', () => worker.shutdown());
  const done = worker.run();
  reportReady();
  await done;
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`bare worker: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
