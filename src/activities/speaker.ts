import type { Speaker } from '../domain/policy/why-unheard';
import type { AttemptTx } from './ledger-port';
import type { PolicyPort } from './ports';

/** What configuration and the ledger know of whoever sent a message (R5.5, R4.9); revocations are read anew each time. */
export async function speakerOf(policy: PolicyPort, tx: AttemptTx, by: string): Promise<Speaker> {
  const revocation = await tx.revoked([{ kind: 'principal', value: by }]);
  return {
    principal: policy.principal(by),
    hasPrincipals: policy.hasPrincipals,
    revoked: revocation && `${revocation.reason} (revoked by ${revocation.by}).`,
  };
}
