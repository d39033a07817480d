import type { Contract } from '../contract/contract';
import { feedbackAllowed } from '../contract/feedback-allowed';
import { factId } from './items/evidence-items';
import { itemLine } from './items/item-line';
import type { ProtectedItem } from './protected-item';

type Acceptance = Pick<Contract, 'acceptance'>;

/**
 * Of items, whoever's contract they were made under, those that this one lets the model know (R3.4): nothing that was found of a
 * criterion without feedback, and no word of a person who was asked about the work as such a criterion.
 */
export function tellable(items: readonly ProtectedItem[], contract: Acceptance): readonly ProtectedItem[] {
  const silent = withheldOf(contract);
  const facts = new Set(silent.map(({ id }) => factId(id)));
  const verdicts = silent.flatMap((one) => (one.check === 'human' ? [itemLine(`finish on ${one.question}`)] : []));
  return items.filter(
    ({ id, kind, text }) =>
      !facts.has(id) && !(kind === 'decision' && verdicts.some((start) => text.startsWith(start))),
  );
}

/** Whether a text that repeats what checks of one contract found may be shown under another (R3.4). */
export function feedbackTellable(of: Acceptance, to: Acceptance): boolean {
  const silent = new Set(withheldOf(to).map(({ id }) => id));
  return !of.acceptance.some((one) => feedbackAllowed(one) && silent.has(one.id));
}

const withheldOf = ({ acceptance }: Acceptance) => acceptance.filter((one) => !feedbackAllowed(one));
