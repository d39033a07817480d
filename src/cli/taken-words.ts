import type { Taken } from '../ledger/insert-attempt';
import { plural } from '../requests/words/words';

/** How much a new attempt took over of the one before it. */
export function takenWords({ snapshot, effects, messages }: Omit<Taken, 'from'>): string {
  const parts = [plural(effects, 'effect'), plural(messages, 'message')];
  return [...(snapshot === null ? [] : [`the files of ${snapshot.slice(0, 10)}`]), ...parts].join(', ');
}
