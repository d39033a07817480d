import type { Policy } from '../policy/create-policy';
import { plural } from '../requests/words/words';

/** What a person should know of a policy that holds, as one line. */
export function policySummary({ rules, version }: Policy): string {
  return `${plural(rules.length, 'rule')}, version ${version}`;
}

/** What a single person's installation takes that another would not (R5.5); undefined where that is nothing. */
export function relaxedWords({ rules }: Policy): string | undefined {
  const relaxed = rules.filter((rule) => rule.relaxed).map(({ id }) => id);
  if (relaxed.length === 0) return undefined;
  return `single-user mode: answers to ${relaxed.join(', ')} are taken at their word; elsewhere they have to be signed in`;
}
