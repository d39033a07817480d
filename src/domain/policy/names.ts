/** What a principal may be called: a login name or a mail address; without a colon, so that `role:x` is never a person. */
export const principalPattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/;
/** A principal's name, or `role:` and a role, which is named as people are. */
export const approverPattern = /^(role:)?[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/;

const rolePrefix = 'role:';

/** The role that `role:x` names; undefined where an approver is a principal's name. */
export function roleOf(approver: string): string | undefined {
  return approver.startsWith(rolePrefix) ? approver.slice(rolePrefix.length) : undefined;
}
