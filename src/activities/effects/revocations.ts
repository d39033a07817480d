import { type AttemptRef, actionId } from '../../protocol/ids';
import type { Approval, AttemptTx, Revocation, RevocationAsk } from '../ledger-port';
import type { RunnableTool } from '../ports';

/**
 * The first revocation that stands in the way of an action (R4.9): of its tool, its target, its credentials, of who started
 * the attempt, of its approval, or of somebody who gave that.
 */
export function revocationOf(
  tx: AttemptTx,
  {
    tool,
    target,
    step,
    index,
    approval,
  }: {
    readonly tool: RunnableTool;
    readonly target: string;
    readonly step: number;
    readonly index: number;
    readonly approval: Approval | undefined;
  },
): Promise<Revocation | undefined> {
  const domain = 'credentialDomain' in tool ? tool.credentialDomain : undefined;
  const asks: RevocationAsk[] = [
    { kind: 'tool', value: tool.name },
    { kind: 'target', value: target },
    { kind: 'principal', value: tx.attempt.startedBy },
  ];
  if (domain !== undefined) asks.push({ kind: 'credential', value: domain });
  if (approval) asks.push(...approvalAsks(tx.attempt.ref, step, index, approval));
  return tx.revoked(asks);
}

function approvalAsks(ref: AttemptRef, step: number, index: number, { answers }: Approval): RevocationAsk[] {
  return [
    { kind: 'approval', value: actionId(ref.id, step, index) },
    ...answers.map(({ by }) => ({ kind: 'principal', value: by }) as const),
  ];
}

export const revokedInWords = ({ kind, value, by, reason }: Revocation) =>
  `The ${kind} ${value} was revoked by ${by}: ${reason}`;
