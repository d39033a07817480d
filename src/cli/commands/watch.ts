import { hearPreviews } from '../../ledger/previews/hear-previews';
import { attemptBudget } from '../../ledger/queries/attempt-budget';
import { find } from '../../requests/naming/find';
import { budgetWords } from '../budget-words';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes';
import { follow } from '../follow';
import { note, say } from '../output';
import { row } from '../row';
import { requiredServers } from '../servers';
import { withSession } from '../session';

export interface WatchOptions extends CommonOptions {
  /** Sequence of the last event already seen. */
  readonly from: number;
  /** Also what models say while they say it (R10.2). */
  readonly previews?: boolean;
}

/** An attempt's events, live, to its end; each carries the cursor from which a later watch goes on. */
export function watch(given: string, options: WatchOptions): Promise<ExitCode> {
  if (options.previews && !options.json) {
    throw new CliError(
      exitCodes.usage,
      '--previews shows pieces of text, which are told apart from events by their fields.',
      `Ask for both: holdfast watch ${given} --json --previews`,
    );
  }
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    if (!options.json) note(`${ref.id}; Ctrl-C ends the watching, not the attempt.`);
    const ears = options.previews ? hearPreviews((await requiredServers(session.config)).databaseUrl) : undefined;
    const show = options.json ? 'json' : 'lines';
    const status = await (async () => {
      try {
        await ears?.hear(ref, (preview) => say(JSON.stringify(preview))).asked;
        return await follow(session, ref, { until: 'end', from: options.from, show });
      } finally {
        await ears?.stop();
      }
    })();
    if (!options.json) say(row('used', budgetWords(await attemptBudget(session.pool, ref))));
    return exitCodeOf(status.reason);
  });
}
