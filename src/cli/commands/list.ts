import { type ListedAttempt, listAttempts } from '../../ledger/queries/attempt-list';
import { commandText } from '../command-text';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { limitName } from '../limit-words';
import { note, printJson, printTable } from '../output';
import { withSession } from '../session';
import { waitsFor } from '../waits-for';
import { excerpt, money, stateWord } from '../words';

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
    const attempts = await listAttempts(pool, tenant, { openOnly: options.open ?? false, limit: options.limit });
    const waiting = await waitsFor(pool, tenant, attempts);
    if (options.json) {
      printJson(attempts.map((attempt) => ({ ...attempt, waitsFor: waiting.get(attempt.attemptId) ?? null })));
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
      waiting.get(attempt.attemptId) ?? '',
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
