import type { ListedEffect } from '../../ledger/queries/effect-list';
import { excerpt, plural } from '../../requests/words/words';
import { paint, printTable, say } from '../output';
import type { ShopLine } from './demo-shop';

/** Together with the other columns it fits a terminal of 100. */
const argumentsLength = 36;

/** What the ledger knows of the effects, and beside it what the shop says that it did: two books, kept apart. */
export function tellEffects(effects: readonly ListedEffect[], lines: readonly ShopLine[]): void {
  if (effects.length === 0) return; // it waits, or was told no: there is nothing to compare
  say(paint('bold', '\nThe effect ledger'));
  printTable(
    ['tool', 'phase', 'tries', 'by whose leave', 'key', "shop's id"],
    effects.map(({ tool, phase, tries, authorization, key, downstreamId }) => [
      tool,
      phase,
      String(tries),
      leave(authorization),
      key,
      downstreamId ?? '',
    ]),
  );
  say(paint('bold', "\nThe shop's own log of it"));
  printTable(
    ['line', 'operation', 'key', 'arguments'],
    lines.map(({ seq, operation, key, args }) => [
      String(seq),
      operation,
      key ?? '',
      excerpt(JSON.stringify(args), argumentsLength),
    ]),
  );
  for (const { tool, key, tries } of effects.filter((effect) => effect.tries > 1)) {
    const done = lines.filter((line) => line.key === key).length;
    say(`\n${tool} was sent ${plural(tries, 'time')} under one key, and the shop did it ${plural(done, 'time')}.`);
  }
}

function leave({ rule, approvedBy }: ListedEffect['authorization']): string {
  return approvedBy.length === 0 ? rule : `${rule}: ${approvedBy.join(', ')}`;
}
