import { attemptBudget } from '../../ledger/queries/attempt-budget';
import { budgetWords } from '../budget-words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodeOf } from '../exit-codes';
import { find } from '../find';
import { follow } from '../follow';
import { note, say } from '../output';
import { row } from '../row';
import { withSession } from '../session';

export interface WatchOptions extends CommonOptions {
  /** Sequence of the last event already seen. */
  readonly from: number;
}

/** An attempt's events, live, to its end; each carries the cursor from which a later watch goes on. */
export function watch(given: string, options: WatchOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    if (!options.json) note(`${ref.id}; Ctrl-C ends the watching, not the attempt.`);
    const status = await follow(session, ref, {
      until: 'end',
      from: options.from,
      show: options.json ? 'json' : 'lines',
    });
    if (!options.json) say(row('used', budgetWords(await attemptBudget(session.pool, ref))));
    return exitCodeOf(status.reason);
  });
}
