import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { bundleWorkflowCode, type ReplayError, Worker } from '@temporalio/worker';
import { createLogger } from '../../src/logger';
import { quietRuntime } from '../../src/temporal/quiet-runtime';
import { scenarios } from './scenarios';

const folder = join(__dirname, 'histories');
const files = readdirSync(folder).filter((file) => file.endsWith('.history.json'));
const historyOf = (file: string) => historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8')));

test('R12.4 every end and pause of the workflow has a kept history on both lanes', () => {
  const kept = Object.keys(scenarios).flatMap((name) => [
    `${name}.local.1.history.json`,
    `${name}.regular.1.history.json`,
  ]);
  expect(kept.filter((file) => !files.includes(file))).toEqual([]);
});

test('M3 every kept history replays on the workflow code that is here', async () => {
  quietRuntime();
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: join(__dirname, '../../src/workflows/index.ts'),
    logger: createLogger('error', 'bundle') as never,
  });
  const histories = files.map((file) => ({ workflowId: file, history: historyOf(file) }));
  const broken: Record<string, ReplayError | undefined> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    if (error) broken[workflowId] = error;
  }
  expect(broken).toEqual({});
}, 120_000);
