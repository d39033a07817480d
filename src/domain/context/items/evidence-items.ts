import type { Contract } from '../../contract/contract';
import { feedbackAllowed } from '../../contract/feedback-allowed';
import type { ItemEvidence } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { itemLine } from './item-line';

/** What was last found of each criterion of which the model may know (R3.4). */
export function evidenceItems(
  evidence: readonly ItemEvidence[],
  { acceptance }: Pick<Contract, 'acceptance'>,
): readonly ProtectedItem[] {
  const told = new Set(acceptance.filter(feedbackAllowed).map(({ id }) => id));
  return evidence
    .filter(({ criterion }) => told.has(criterion))
    .map(({ criterion, met, detail }) => ({
      id: factId(criterion),
      kind: 'fact',
      text: itemLine(
        `${criterion}: ${met ? 'met when it was last checked' : `not met when it was last checked: ${detail}`}`,
      ),
    }));
}

export const factId = (criterion: string) => `fact/${criterion}`;
