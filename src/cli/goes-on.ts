import { listRevocations } from '../ledger/effects/revocations';
import { attemptDetails } from '../ledger/queries/attempt-details';
import type { OpenApproval } from '../ledger/queries/open-approvals';
import type { AttemptRef } from '../protocol/ids';
import type { Session } from '../requests/session';
import { commandText } from '../requests/words/command-text';

/** What follows of an approval that counted: a suspension and a revocation let nothing happen, whoever said yes. */
export async function goesOn(
  { pool, tenant }: Pick<Session, 'pool' | 'tenant'>,
  ref: AttemptRef,
  { tool, target, actionId, answers }: OpenApproval,
  by: string,
): Promise<string> {
  const [{ state, startedBy }, revocations] = await Promise.all([
    attemptDetails(pool, ref),
    listRevocations(pool, tenant),
  ]);
  const names = [...answers.map((answer) => answer.by), by, startedBy ?? ''];
  const values = { tool: [tool], target: [target], approval: [actionId], principal: names, credential: [] };
  const revoked = revocations.find(({ kind, value }) => [...values[kind]].includes(value));
  if (revoked !== undefined) {
    const { kind, value, by: whom, reason } = revoked;
    return `It is not carried out: the ${kind} ${value} was revoked by ${whom} (${reason}), and the agent is told so.`;
  }
  if (state === 'SUSPENDED')
    return `${ref.id} is suspended, so it is not carried out before \`${commandText(tenant, 'resume', ref.id)}\`.`;
  return 'It goes on.';
}
