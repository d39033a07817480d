import type { CancelOutcome } from '../ledger/queries/cancel-outcome';
import type { ListedEffect } from '../ledger/queries/effect-list';
import { operationWords } from './operation-words';
import { paint } from './output';
import { row } from './row';

/**
 * What a cancel came to (R11.2); one that came too late for something says so. `effects`: of the attempt, where they are at
 * hand; they name the person who settled one.
 */
export function renderCancel(
  { requestedAt, committed, processes }: CancelOutcome,
  effects: readonly ListedEffect[] = [],
): readonly string[] {
  const ended = processes ? [row('cancel', 'no process of its workspace runs any more')] : [];
  if (committed.length === 0) return [...ended, row('cancel', `asked for at ${requestedAt}; nothing of it is left`)];
  const late = committed.map((done) => {
    const words = `the cancel came (at ${requestedAt}), but ${operationWords(done.effect)} ${becameOf(done, effects)}`;
    return row('cancel', paint('yellow', words));
  });
  return [...ended, ...late];
}

/** A person found out after the cancel what may have happened before it; the time at which it was sent is what is known. */
function becameOf(
  { effect, at, sentAt, by }: CancelOutcome['committed'][number],
  effects: readonly ListedEffect[],
): string {
  const sent = sentAt === undefined ? '' : ` (sent at ${sentAt})`;
  if (by !== 'person') return `had already been committed at ${at}${sent}`;
  const listed = effects.find(({ key }) => key === effect);
  const who = listed?.evidence.findLast(({ kind }) => kind === 'person')?.by ?? 'a person';
  return `had been sent${sentAt === undefined ? '' : ` at ${sentAt}`} and took effect, as ${who} said at ${at}`;
}
