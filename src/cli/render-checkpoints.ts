import type { ListedCheckpoint } from '../ledger/queries/checkpoint-list';
import { plural } from '../requests/words/words';
import { row } from './row';

/** The newest ones, from which somebody would fork; `show --json` lists more. */
const shownMax = 5;

/** Checkpoints that `fork --at` can name: which, when, and why each was written (R12.1). */
export function renderCheckpoints(checkpoints: readonly ListedCheckpoint[]): readonly string[] {
  const left = checkpoints.length - shownMax;
  const lines = checkpoints.slice(-shownMax).map(lineOf);
  const more = left > 0 ? [`${plural(left, 'older one')}, in --json`] : [];
  return [...more, ...lines].map((text, index) => row(index === 0 ? 'checkpoint' : '', text));
}

function lineOf({ checkpoint, writtenAt, at, turn, step, reason, elsewhere, why }: ListedCheckpoint): string {
  const name = checkpoint.slice(checkpoint.lastIndexOf('/') + 1);
  if (at === null) return `${name} ${writtenAt}, cannot be read: ${why ?? 'it is damaged'}`;
  return `${name} ${writtenAt}, ${whyWords(at, reason)}, turn ${turn}, step ${step}${atWork(elsewhere)}`;
}

function atWork(elsewhere: ListedCheckpoint['elsewhere']): string {
  const { jobs = [], children = [] } = elsewhere ?? {};
  const parts = [
    ...(jobs.length > 0 ? [plural(jobs.length, 'job')] : []),
    ...(children.length > 0 ? [plural(children.length, 'child', 'children')] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(' and ')} at work`;
}

function whyWords(at: NonNullable<ListedCheckpoint['at']>, reason: ListedCheckpoint['reason']): string {
  switch (at) {
    case 'pause':
      return `at a pause (${reason})`;
    case 'end':
      return 'at the end';
    case 'approval':
      return 'before an approval was asked for';
    case 'effect':
      return 'before something was sent';
  }
}
