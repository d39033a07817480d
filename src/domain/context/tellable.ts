import type { Contract } from '../contract/contract';
import { feedbackAllowed } from '../contract/feedback-allowed';
import { factId } from './items/evidence-items';
import type { ProtectedItem } from './protected-item';

type Acceptance = Pick<Contract, 'acceptance'>;

/**
 * Of items, whoever's contract they were made under, those that this one lets the model know (R3.4): nothing that was found of a
 * criterion without feedback, and where one of these is to ask a person, no word of a person on finished work.
 */
export function tellable(items: readonly ProtectedItem[], contract: Acceptance): readonly ProtectedItem[] {
  const silent = withheldOf(contract);
  const facts = new Set(silent.map(({ id }) => factId(id)));
  const verdictsToo = silent.some(({ check }) => check === 'human');
  return items.filter((item) => !facts.has(item.id) && !(verdictsToo && isVerdict(item)));
}

/** Whether a text that repeats what checks of one contract found may be shown under another (R3.4). */
export function feedbackTellable(of: Acceptance, to: Acceptance): boolean {
  const silent = new Set(withheldOf(to).map(({ id }) => id));
  return !of.acceptance.some((one) => feedbackAllowed(one) && silent.has(one.id));
}

/** A person is asked about a candidate as for an approval of its `finish`. */
const isVerdict = ({ kind, text }: ProtectedItem) => kind === 'decision' && text.startsWith('finish on ');

const withheldOf = ({ acceptance }: Acceptance) => acceptance.filter((one) => !feedbackAllowed(one));
