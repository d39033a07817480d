import type { Principal } from './policy';

/** What is known of whoever speaks to an attempt. */
export interface Speaker {
  /** Where configuration names them. */
  readonly principal: Principal | undefined;
  readonly hasPrincipals: boolean;
  /** Why this person's word counts no more, where that was taken from them. */
  readonly revoked: string | undefined;
}

/**
 * Why somebody's word decides nothing, whatever it is about (R5.5, R4.9): the one rule for answers, for what is said of effects and
 * for limits that are raised. Undefined where it counts. In words for whoever spoke, the next step among them.
 */
export function whyUnheard(by: string, { principal, hasPrincipals, revoked }: Speaker): string | undefined {
  if (revoked !== undefined) return `${by} may answer nothing any more: ${revoked} Somebody else has to.`;
  if (!hasPrincipals || principal) return undefined;
  return `Configuration names nobody as ${by}; add them under "principals", or answer as somebody it names.`;
}
