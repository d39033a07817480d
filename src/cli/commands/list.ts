import type { ListedAttempt } from '../../ledger/queries/attempt-list';
import { attemptList } from '../../requests/documents/attempt-list';
import { commandText } from '../../requests/words/command-text';
import { limitName } from '../../requests/words/limit-words';
import { excerpt, money } from '../../requests/words/words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { note, printJson, printTable } from '../output';
import { withSession } from '../session';
import { stateWord } from '../words';

export interface ListOptions extends CommonOptions {
  readonly open?: boolean;
  readonly limit: number;
}

/** How one of several side by side stands: which of them is the result, or how many there are. */
function besideWord({ attemptId, race }: ListedAttempt): string {
  if (race === null) return '';
  if (race.won === null) return `one of ${race.attempts.length}`;
  return race.won === attemptId ? 'the result' : `${race.won} is the result`;
}

/** As much as a table has room for. */
const wordMaxChars = 40;

/** What runs, what waits for whom, and what ended last. */
export function list(options: ListOptions): Promise<ExitCode> {
  return withSession(options, async ({ pool, tenant }) => {
    const { attempts } = await attemptList({ pool, tenant }, { open: options.open, limit: options.limit });
    if (options.json) {
      printJson(attempts);
      return exitCodes.done;
    }
    if (attempts.length === 0)
      note(
        `The tenant "${tenant}" has no ${options.open ? 'open ' : ''}attempt. Start one: \`${commandText(tenant, 'start TASK.yaml')}\`.`,
      );
    const rows = attempts.map((attempt) => [
      attempt.attemptId,
      attempt.kind,
      stateWord(attempt.state),
      [attempt.reason, attempt.exceeded && limitName(attempt.exceeded), attempt.trouble?.code]
        .filter(Boolean)
        .join(' · '),
      attempt.waitsFor ?? '',
      String(attempt.step),
      money(attempt.costMicroUsd),
      attempt.createdAt,
      attempt.continues ?? '',
      besideWord(attempt),
      excerpt(attempt.lastWord, wordMaxChars),
    ]);
    if (attempts.length > 0)
      printTable(
        [
          'attempt',
          'kind',
          'state',
          'reason',
          'waits for',
          'step',
          'cost',
          'created',
          'goes on from',
          'beside',
          'said',
        ],
        rows,
      );
    return exitCodes.done;
  });
}
