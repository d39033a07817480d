import { fence } from './fence';
import type { Projection } from './projection';
import { type ItemKind, isSaid, itemKinds, type ProtectedItem } from './protected-item';

/**
 * The projection as one message of the view.
 *
 *   I1  What the contract layer says (goal, revisions, constraints) is said there alone, in the version in force.
 *   I2  Only headings and pointers are the runtime's own words; the rest comes from tools, people or models and is fenced. What the
 *       user said is marked as the user's: it may revise the goal, which data may not.
 */
export function renderProjection({ uptoStep, madeBy, items, left, summary }: Projection): string {
  const parts = [opening(uptoStep, madeBy)];
  for (const kind of itemKinds) {
    const heading = headings[kind];
    const lines = items.filter((item) => item.kind === kind && !saidByContract(item)).map(itemText);
    const as = kind === 'revision' ? 'user' : 'data';
    if (lines.length > 0) parts.push(`${heading}:\n${fence(lines.join('\n'), as)}`); // I2
  }
  if (left.length > 0) {
    const lines = left.map(
      ({ kind, count, pointer }) => `- ${count} of "${headings[kind]}": recall {"pointer":"${pointer}"}`,
    );
    parts.push(`Left out here for want of room:\n${lines.join('\n')}`);
  }
  if (summary !== '') parts.push(`${summaryHeading}:\n${fence(summary)}`);
  return parts.join('\n\n');
}

/** I1. What the user of an ancestor said stands in no contract. */
export const saidByContract = ({ id, kind }: ProtectedItem): boolean =>
  kind === 'goal' || kind === 'constraint' || (kind === 'revision' && !isSaid(id));

/** An item as one line of the view. */
export const itemText = ({ text, source }: ProtectedItem): string =>
  source === undefined ? `- ${text}` : `- ${text} [${source}]`;

/** What stands over the items of a kind. */
export const headings: Readonly<Record<ItemKind, string>> = {
  goal: 'Goal',
  revision: 'Said by the user earlier, and meant as if it were said now',
  constraint: 'Constraints',
  fact: 'Verified facts',
  promise: 'Still to be done, as the plan stood then',
  block: 'What the work waited for then',
  change: 'Files changed by then',
  failed: 'What failed; the same in an unchanged world fails again',
  decision: 'What was asked for, and decided',
  pointer: 'Where the record has the steps',
};
const summaryHeading = 'A summary by a model, which nobody has verified';

function opening(uptoStep: number, madeBy: Projection['madeBy']): string {
  const how = 'Any pointer below, in brackets or not, is read with recall {"pointer":"s12.a0"}.';
  if (madeBy === 'inherited')
    return `From the runtime: this attempt goes on from an earlier one, and its record is this. Its effects stand: do not repeat them. ${how}`;
  return `From the runtime: steps 1–${uptoStep} are not shown word for word. The record has this of them, as it stood then; what holds now is said last. ${how}`;
}
