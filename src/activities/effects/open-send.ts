import { leaseMs } from '../../protocol/lease';
import type { AttemptTx, OwnEffect } from '../ledger-port';
import type { ToolPort } from '../ports';

/** A tool that is not there any more had some limit, ms: longer than any that a tool would be given for one request. */
const unknownLimitMs = 600_000;

/**
 * Until when something that was sent may still take effect although its owner has ended (E6): its owner's lease and the
 * tool's time limit after the newest send, which began at most one more limit after its try, where that read something first.
 * `saidAt`: when somebody looked who now says what they saw, which must have been after it. Undefined where that time has passed by the database's clock, or where nothing was sent.
 */
export async function openSendUntil(
  tools: ToolPort,
  tx: AttemptTx,
  { effect, sends }: OwnEffect,
  saidAt?: Date,
): Promise<Date | undefined> {
  const tool = tools.get(effect.tool);
  const limitMs = tool?.timeoutMs ?? unknownLimitMs;
  const preparesMs = tool && 'prepare' in tool && tool.prepare !== undefined ? limitMs : 0;
  const times = sends.flatMap(({ proven, at }) => (proven || !at ? [] : [at.getTime() + preparesMs]));
  const newest = Math.max(...times, effect.sentAt?.getTime() ?? 0);
  if (newest === 0) return undefined;
  const until = new Date(newest + limitMs + leaseMs);
  if (saidAt && saidAt < until) return until;
  return (await tx.hasPassed(new Date(newest), limitMs + leaseMs)) ? undefined : until;
}
