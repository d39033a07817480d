import type { CancelOutcome } from '../ledger/queries/cancel-outcome';
import { operationWords } from './operation-words';
import { paint } from './output';
import { row } from './row';

/** What a cancel came to (R11.2); one that came too late for something says so. */
export function renderCancel({ requestedAt, committed, processes }: CancelOutcome): readonly string[] {
  const ended = processes ? [row('cancel', 'its processes were ended, and are gone')] : [];
  if (committed.length === 0) return [...ended, row('cancel', `asked for at ${requestedAt}; nothing of it is left`)];
  const late = committed.map(({ effect, at }) => {
    const words = `the cancel came (at ${requestedAt}), but ${operationWords(effect)} had already been committed at ${at}`;
    return row('cancel', paint('yellow', words));
  });
  return [...ended, ...late];
}
