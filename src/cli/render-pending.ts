import type { Pending } from '../requests/pending/pending';
import { excerpt } from '../requests/words/words';
import { causeWords } from './found-out';
import { paint } from './output';
import { row } from './row';

/** A question is read whole; what is longer than this is a report, and `show --json` has it. */
const textLength = 400;
/** Whoever approves reads what they approve; a whole file is shown by `show --json`. */
const argumentsLength = 2_000;

/** What is waited for, what can be done, and the command that answers. */
export function renderPending(pending: Pending): readonly string[] {
  const { text, advice, command, or } = pending;
  return [
    row('waits for', waitsFor(pending, text)),
    ...factsOf(pending).map((fact) => row('', fact)),
    ...(advice === undefined ? [] : [row('', advice)]),
    row('answer', paint('bold', command)),
    ...(or === undefined ? [] : [row('or', paint('bold', or))]),
  ];
}

function waitsFor({ kind }: Pending, text: string): string {
  if (kind === 'approval') return `an approval of ${paint('bold', text)}`;
  return excerpt(text, textLength) || 'a message';
}

function factsOf(pending: Pending): readonly string[] {
  switch (pending.kind) {
    case 'question':
      return pending.choices === undefined ? [] : [`choices: ${pending.choices.join(' | ')}`];
    case 'approval': {
      const { actionId, target, rule, policy, expiresAt, binding } = pending;
      return [
        `action ${actionId} on ${target}, by rule ${rule} (policy ${policy})`,
        ...argumentsOf(pending),
        `${answersWords(pending)} until ${expiresAt}`,
        paint('dim', `binding ${binding}`),
      ];
    }
    case 'reconcile': {
      const { actionId, effectClass, target, key, sentAt, cause, heldUp } = pending;
      const others = heldUp.length === 0 ? [] : [`held up by it: ${heldUp.join(', ')}`];
      const sent = `action ${actionId} on ${target} (${effectClass}), sent at ${sentAt ?? '?'}`;
      return [sent, `under ${key}`, ...(cause === null ? [] : [causeWords(cause)]), ...others];
    }
    case 'message':
    case 'budget':
    case 'suspended':
    case 'effect':
    case 'job':
      return [];
  }
}

/** Where what stands above is not all of them. */
function argumentsOf({ text, args }: Extract<Pending, { kind: 'approval' }>): readonly string[] {
  if (args === null) return ['its arguments are long, and kept in the object store'];
  return text.includes(args) ? [] : [`arguments ${excerpt(args, argumentsLength)}`];
}

/** `1 of 2 (ana), of role:finance, signed in at the gateway,`. */
function answersWords({
  needed,
  answers,
  approvers,
  channel,
}: Pick<Extract<Pending, { kind: 'approval' }>, 'needed' | 'answers' | 'approvers' | 'channel'>): string {
  const said = answers.filter(({ answer }) => answer === 'approve').map(({ by }) => by);
  const count = `${said.length} of ${needed}${said.length === 0 ? '' : ` (${said.join(', ')})`}`;
  const who = approvers.length === 0 ? 'anybody who may answer' : approvers.join(' or ');
  return `${count}, of ${who}${channel === 'authenticated' ? ', signed in at the gateway' : ''},`;
}
