import { join } from 'node:path';
import { workflowId } from '../../protocol/ids';
import { find } from '../../requests/naming/find';
import { plural } from '../../requests/words/words';
import { attemptHistories } from '../../temporal/histories';
import { replayHistory } from '../../temporal/replay';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { paint, printJson, say } from '../output';
import { withSession } from '../session';

/** Made by the build, beside the compiled sources. */
const bundlePath = join(__dirname, '../../workflow-bundle.js');

interface ReplayedRun {
  readonly runId: string;
  readonly events: number;
  readonly fits: boolean;
  /** What differs, where it does not fit. */
  readonly why: string | null;
}

/** Replays an attempt's runs on the workflow code of this build: nothing is executed, and nothing changes. */
export function replay(given: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const histories = await session.temporal((client) => attemptHistories(client, ref));
    if (histories.length === 0) {
      throw new CliError(
        exitCodes.usage,
        `Temporal keeps no history of ${ref.id}.`,
        'It was not started yet, or its retention has passed.',
      );
    }
    const runs: ReplayedRun[] = [];
    for (const { runId, history } of histories) {
      const why = await replayHistory(bundlePath, workflowId(ref.tenant, ref.id), history);
      runs.push({ runId, events: history.events?.length ?? 0, fits: why === undefined, why: why ?? null });
    }
    const fits = runs.every((run) => run.fits);
    if (options.json) printJson({ attemptId: ref.id, fits, runs });
    else for (const line of lines(ref.id, runs)) say(line);
    return fits ? exitCodes.done : exitCodes.failed;
  });
}

function lines(attempt: string, runs: readonly ReplayedRun[]): readonly string[] {
  return runs.map(({ runId, events, fits, why }) => {
    const run = `${attempt} run ${runId}: ${plural(events, 'event')}`;
    return fits ? `${paint('green', '✓')} ${run} fit this code` : `${paint('red', '✗')} ${run} do not fit: ${why}`;
  });
}
