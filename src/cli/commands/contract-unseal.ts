import { type UnsealOutcome, unsealTest } from '../../ledger/unseal-test';
import { namePattern } from '../../protocol/ids';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { loginName } from '../login-name';
import { neededReason } from '../needed-reason';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';

export interface UnsealOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
}

/** Makes a sealed test of a task development material, for good and on record; its contract then needs another one (R3.4). */
export function contractUnseal(task: string, criterion: string, options: UnsealOptions): Promise<ExitCode> {
  const reason = neededReason('To unseal a test', options.reason, 'its cases were wrong');
  if (!namePattern.test(task)) throw new CliError(exitCodes.usage, `"${task}" is no name of a task.`);
  return withSession(options, async (session) => {
    const { by = loginName() } = options;
    const outcome = await unsealTest(session.pool, { tenant: session.tenant, task, criterion, by, reason });
    const version = versionOf(task, criterion, outcome);
    if (options.json) printJson({ task, criterion, outcome: outcome.kind, contractVersion: version, by, reason });
    else
      tell(
        session,
        `${criterion} of ${task} is development material${outcome.kind === 'known' ? ' already' : `, by ${by}`}. Nothing of the task starts before its file has another sealed test.`,
      );
    return exitCodes.done;
  });
}

function versionOf(task: string, criterion: string, outcome: UnsealOutcome): number {
  switch (outcome.kind) {
    case 'unsealed':
    case 'known':
      return outcome.version;
    case 'no_task':
      throw new CliError(exitCodes.usage, `No task is called ${task}.`, '`holdfast list` shows the attempts of tasks.');
    case 'running': {
      const next = `Wait for its end or cancel it: \`holdfast cancel ${outcome.attempts[0]}\`.`;
      throw new CliError(
        exitCodes.usage,
        `${outcome.attempts.join(', ')} has not ended, and may yet be judged by it.`,
        next,
      );
    }
    case 'not_sealed': {
      const sealed = outcome.sealed.length === 0 ? 'It has none.' : `It has ${outcome.sealed.join(', ')}.`;
      throw new CliError(exitCodes.usage, `The newest contract of ${task} has no sealed test "${criterion}".`, sealed);
    }
  }
}
