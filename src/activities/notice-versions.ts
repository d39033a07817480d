import { canonicalHash } from '../domain/canonical';
import { handlingOf } from '../domain/checkpoint/resume-table';
import {
  type VersionDifference,
  type Versions,
  versionDifferences,
  versionsSchema,
} from '../domain/checkpoint/versions';
import type { Contract } from '../domain/contract/contract';
import type { CallKind } from '../protocol/calls';
import type { AttemptTx } from './ledger-port';
import { tellModel } from './tell-model';
import { type VersionDeps, versionsHere } from './versions-here';

/**
 * That an attempt goes on beside other versions than before (R12.2): after a pause, on the worker that took over, in the next
 * run.
 *
 *   I1  It is noticed in the transaction that opens a call, under the attempt's lock, and changes no answer, so a repeat of the
 *       call and calls side by side notice nothing twice (M1).
 *   I2  What an attempt first goes on beside is no change.
 */

/** Calls in which an attempt goes on; a pause is left, or not, by what `mayLeave` says, and its other records change nothing. */
export const notices: Readonly<Record<CallKind, boolean>> = {
  prepare: true,
  think: true,
  compact: true,
  act: true,
  probe: true,
  verify: true,
  // A worker of sealed tests alone may be another installation, which the attempt does not go on beside.
  verifySealed: false,
  commit: true,
  record: false,
  settle: false,
};

/** `before`: what it went on beside, where the attempt is older than its notes of that. */
export async function noticeVersions(
  deps: VersionDeps,
  tx: AttemptTx,
  contract: Contract,
  before?: Versions,
): Promise<void> {
  if (tx.attempt.ended) return;
  const here = versionsHere(deps, contract, tx.attempt.start);
  const hash = canonicalHash(here).slice(0, hashChars);
  if (tx.attempt.versionsNoted === hash) return;
  const noted = tx.attempt.versionsNoted === null ? before : await newestNoted(tx);
  if (noted) for (const difference of versionDifferences(noted, here)) noteDifference(tx, difference);
  tx.insert('attempt_versions', { n: tx.n, body: here });
  tx.update({ versionsNoted: hash });
}

/** Undefined where a newer Holdfast noted something that cannot be read here: nothing can be said of a change then. */
async function newestNoted(tx: AttemptTx): Promise<Versions | undefined> {
  return versionsSchema.safeParse(await tx.newestVersions()).data;
}

/** Enough to tell two versions of everything apart, in a row that each step writes anew. */
const hashChars = 16;

/** One event for each, and what the table says follows. */
export function noteDifference(tx: AttemptTx, difference: VersionDifference): void {
  const { change: _change, ...told } = difference;
  const handled = handlingOf(difference);
  tx.emit({ type: 'version_changed', payload: { ...told, handled } });
  if (handled === 'observe_again') tellModel(tx, changedWords(difference));
}

const changedWords = ({ part, name, from, to }: VersionDifference): string => {
  if (part === 'skill')
    return `The skill ${name} ${to === null ? 'is not here any more' : 'has changed'}. Read it again before you rely on it.`;
  return `The ${part} of this attempt's commands changed from "${from}" to "${to}". What they showed before may no longer hold: look again before you rely on it.`;
};
