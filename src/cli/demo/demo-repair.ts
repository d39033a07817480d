import type { Session } from '../../requests/session';
import { readTaskFile } from '../../requests/task/task-file';
import { toolNames } from '../../requests/task/tool-names';
import type { CommonOptions } from '../common-options';
import { paint, say } from '../output';
import { demoModel } from './demo-model';
import type { DemoParts } from './demo-parts';
import { type DemoResult, demoTask } from './demo-task';

/** The first task: a bug in a git repository, under its own tests. Its branch is the result. */
export async function repairTask(
  session: Session,
  { config, repair }: DemoParts,
  options: CommonOptions,
): Promise<DemoResult> {
  const file = readTaskFile(repair.task, {
    ...(await toolNames(config)),
    models: Object.keys(config.models),
    model: demoModel(config),
  });
  const result = await demoTask(session, file, options);
  const branch = result.document.workspace?.branch;
  if (!options.json && branch) {
    say('\nThe repair is a branch of the repository; the checkout is as it was:');
    say(`  ${paint('bold', `git -C ${repair.repo} show ${branch}`)}`);
  }
  return result;
}
