import type { ApprovalOutcome } from '../ledger/queries/approval-outcome';
import { versionWords } from './version-words';

/** Why an approval of a tool's action lets nothing happen (R5.3): what it was bound to and has changed. */
export function voidWords(tool: string, { changes, again, policy, state }: ApprovalOutcome): string {
  const own = changes.filter(({ part, name }) => part === 'policy' || (part === 'tool' && name === tool));
  if (own.length > 0) return own.map(versionWords).join('; ');
  if (again !== null && again.policy !== policy) return `policy is ${again.policy}, and was ${policy}`;
  if (state === 'expired') return 'the request had expired when it was to be used';
  return again === null ? 'the request was withdrawn meanwhile' : 'what it was bound to has changed';
}
