import type { Principal } from '../../domain/policy/policy';

/**
 * The option that says who speaks, for a command that is to be copied: a login name is seldom one that configuration names.
 * Nothing where it names nobody, who are then taken at their word; the name where just one is asked, else `NAME`.
 */
export function byWhom(
  principals: readonly Principal[],
  isAsked: (principal: Principal) => boolean = () => true,
): readonly string[] {
  if (principals.length === 0) return [];
  const [only, ...others] = principals.filter(isAsked);
  return ['--by', only === undefined || others.length > 0 ? 'NAME' : only.name];
}
