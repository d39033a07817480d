import { roleOf } from './names';
import type { ApprovalTerms, Principal } from './policy';

/** Whether terms name this person, by name or by role; an empty list names everybody (R5.5). */
export function mayAnswer({ approvers }: Pick<ApprovalTerms, 'approvers'>, { name, roles }: Principal): boolean {
  if (approvers.length === 0) return true;
  return approvers.some((approver) => {
    const role = roleOf(approver);
    return role === undefined ? approver === name : roles.includes(role);
  });
}
