import type { ItemEvidence } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { itemLine } from './item-line';

/** What was last found of each criterion. */
export const evidenceItems = (evidence: readonly ItemEvidence[]): readonly ProtectedItem[] =>
  evidence.map(({ criterion, met, detail }) => ({
    id: `fact/${criterion}`,
    kind: 'fact',
    text: itemLine(
      `${criterion}: ${met ? 'met when it was last checked' : `not met when it was last checked: ${detail}`}`,
    ),
  }));
