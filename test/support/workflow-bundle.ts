import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { createLogger } from '../../src/logger';
import { quietBundle } from '../../src/worker/quiet-bundle';
import { onceARun } from './once-a-run';
import { testStack } from './stack';

/** File of the workflows as they stand, bundled once a jest run: that takes two seconds of a core, which each file would pay. */
export async function workflowBundleFile(): Promise<string> {
  const { runFolder } = await testStack();
  const path = join(runFolder, 'workflow-bundle.js');
  await onceARun(
    async () => existsSync(path),
    async () => {
      const { code } = await bundleWorkflowCode({
        workflowsPath: require.resolve('../../src/workflows'),
        logger: createLogger('error', 'bundle') as never,
      });
      await writeFile(`${path}.part-${process.pid}`, code);
      await rename(`${path}.part-${process.pid}`, path);
    },
  );
  return path;
}

/** The workflows as a worker runs them, for a worker or a replay that a test makes itself. */
export async function workflowBundle(): Promise<{ code: string }> {
  return await quietBundle({ code: await readFile(await workflowBundleFile(), 'utf8') });
}
