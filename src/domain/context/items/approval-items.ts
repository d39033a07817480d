import type { ItemApproval } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { itemLine } from './item-line';
import { placeText } from './place-text';

/** What people were asked: a block while nobody has answered, a decision from then on. */
export const approvalItems = (approvals: readonly ItemApproval[]): readonly ProtectedItem[] =>
  approvals.map((approval) => {
    const source = placeText(approval);
    const kind = approval.state === 'open' ? 'block' : 'decision';
    const { tool, target } = approval;
    return { id: `${kind}/${source}`, kind, text: itemLine(`${tool} on ${target} ${words(approval)}`), source };
  });

function words(approval: ItemApproval): string {
  switch (approval.state) {
    case 'open':
      return 'waits for an approval';
    case 'granted':
      return `was approved${by(approval, 'approve')}`;
    case 'denied':
      return `was denied${by(approval, 'deny')}`;
    case 'spent':
      return `was approved${by(approval, 'approve')}, and sent`;
    case 'expired':
      return 'asked for an approval that nobody gave in time';
    case 'voided':
      return 'asked for an approval, and the request was withdrawn';
  }
}

function by({ answers }: ItemApproval, which: 'approve' | 'deny'): string {
  const said = answers.filter(({ answer }) => answer === which);
  if (said.length === 0) return '';
  return ` by ${said.map(({ by, reason }) => (reason ? `${by} ("${reason}")` : by)).join(' and ')}`;
}
