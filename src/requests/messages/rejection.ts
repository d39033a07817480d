import type { AttemptRef } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';
import type { Session } from '../session';

interface Rejected {
  /** What was sent, in a word. */
  readonly kind: string;
  /** In the words that the attempt gave it. */
  readonly why: string;
  readonly code?: 'rejected' | 'refused_by_policy';
}

/** A message that the attempt took and refused. */
export function rejection({ id }: AttemptRef, { kind, why, code = 'rejected' }: Rejected, hint = ''): RequestRefused {
  return new RequestRefused(
    code,
    `The ${kind} changed nothing. ${why}`,
    `${hint}\`holdfast show ${id}\` says how it stands, and what it waits for.`,
  );
}

/** The same of one that counts only from somebody whom configuration names, which the login name seldom is. */
export function rejectionOf(session: Session, ref: AttemptRef, rejected: Rejected): RequestRefused {
  return rejection(ref, rejected, loginHint(session));
}

function loginHint({ sender, config }: Pick<Session, 'sender' | 'config'>): string {
  const { principals } = config.policy;
  if (sender.door !== 'cli' || !sender.login || principals.length === 0) return '';
  if (principals.some(({ name }) => name === sender.name)) return '';
  return `It was said by ${sender.name}, your login name; \`--by NAME\` says who you are. `;
}
