import { Worker } from '@temporalio/worker';
import type { Handle, Lab } from './lab';

type History = Awaited<ReturnType<Handle['fetchHistory']>>;

/** The histories replay on the code here: by one worker, since each of its own would load the workflows once more. */
export async function expectReplays(
  { bundle }: Lab,
  histories: readonly { readonly workflowId: string; readonly history: History }[],
): Promise<void> {
  const misfits: unknown[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories))
    if (error) misfits.push({ workflowId, error });
  expect(misfits).toEqual([]);
}

/** Of every workflow that was started in the lab, the newest run. */
export async function expectAllReplay(lab: Lab): Promise<void> {
  const histories = lab.handles.map(async (handle) => ({
    workflowId: handle.workflowId,
    history: await handle.fetchHistory(),
  }));
  await expectReplays(lab, await Promise.all(histories));
}
