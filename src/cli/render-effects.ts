import type { AttemptDetails } from '../ledger/queries/attempt-details';
import type { ListedEffect } from '../ledger/queries/effect-list';
import { callWords } from '../requests/words/call-words';
import { causeWords, evidenceWords } from './found-out';
import { refusedWords } from './refused-words';
import { row } from './row';
import { phaseWord } from './words';

/** What an attempt did outside, and what it was not let do: `holdfast effects` has the whole rows. */
export function renderEffects({
  effects,
  refused,
  tainted,
}: Pick<AttemptDetails, 'effects' | 'refused' | 'tainted'>): readonly string[] {
  return [
    ...effects.flatMap(effectLines),
    ...refused.map((write) =>
      row('refused', `${callWords(write.tool, write.args)} (${write.actionId}): ${refusedWords(write)}`),
    ),
    ...(tainted ? [row('tainted', 'it has read content that nobody here vouches for')] : []),
  ];
}

function effectLines(effect: ListedEffect): readonly string[] {
  const { actionId, tool, target, phase, committedAt, sentAt, unknown, evidence } = effect;
  const at = committedAt ?? sentAt;
  return [
    row('effect', `${phaseWord(phase)} ${tool} on ${target} (${actionId}${at === null ? '' : `, ${at}`})`),
    ...(unknown === null ? [] : [row('', causeWords(unknown))]),
    ...evidence.map((learnt) => row('', evidenceWords(learnt))),
  ];
}
