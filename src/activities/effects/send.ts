import { type Effect, type EffectRef, idempotencyKey } from '../../domain/effect/effect';
import type { Call } from '../../protocol/calls';
import { actionId, workflowId } from '../../protocol/ids';
import type { ActivityDeps } from '../deps';
import { revisionWaits } from '../goal-revised';
import type { AttemptTx } from '../ledger-port';
import { waits } from '../messages';
import type { Refusal } from '../observe';
import type { SendResult, WriteContext, WriteTool } from '../ports';
import { inTime, type RunLimits, ToolTimeout, thrown, timedOut } from '../tool-run';
import { revocationOf, revokedInWords } from './revocations';

/**
 * One send of one write (E3).
 *
 *   I1  SENT is committed, and acknowledged to this execution, before `send` is called.
 *   I2  `send` is called only within `sendWindowMs` of the beginning of that transaction, by a clock that does not jump:
 *       whoever was stopped in between has been taken for dead.
 *   I3  Nothing stops a send but its time limit: a cancel waits for its answer (M5).
 */
export interface Claimed {
  readonly ref: EffectRef;
  readonly fence: number;
  readonly tool: WriteTool;
  readonly target: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: RunLimits;
  /** The try in the ledger. */
  readonly try: { readonly step: number; readonly index: number; readonly try: number; readonly execution: number };
  readonly rule: string;
  /** Ordinal of the approval that the send spends. */
  readonly approval: number | undefined;
  /** The execution that owns the claim. */
  readonly owner: string;
  /** SENT was committed with the claim, in a transaction that began then (monotonic, ms). */
  readonly sentAtMs: number | undefined;
  /** An earlier send of this generation may have taken effect. */
  readonly resend: boolean;
  /** What the other side brings when the job that this send submits has ended; only of a tool with `job`. */
  readonly token: string | undefined;
}

/** What a send was answered. `job`: it goes on, under the downstream id (R15.2). */
export type SendAnswer =
  | Extract<SendResult, { kind: 'rejected' }>
  | (Extract<SendResult, { kind: 'committed' }> & { readonly job?: { readonly pollAfterMs?: number } });

export type Sent =
  | { readonly kind: 'answered'; readonly result: SendAnswer }
  /** It may have taken effect; `code` and `detail` say what was thrown. */
  | { readonly kind: 'thrown'; readonly code: string; readonly detail: string }
  /** Nothing was sent by this try. */
  | { readonly kind: 'not_sent'; readonly why: NotSent };
export type NotSent =
  | { readonly kind: 'failed'; readonly refusal: Refusal }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'revoked'; readonly why: string }
  /** The window passed, or the claim was lost. */
  | { readonly kind: 'late' };

/**
 * Longest from the beginning of the transaction that commits SENT to the call of `send`, ms: a commit takes milliseconds, and
 * a third of a lease leaves no time in which somebody else could have taken over.
 */
export const sendWindowMs = 1_000;

export async function send(
  deps: ActivityDeps,
  call: Call<'act'>,
  claimed: Claimed,
  signal: AbortSignal,
  onLate: (result: SendAnswer) => void,
): Promise<Sent> {
  const { tool, args, limits, ref } = claimed;
  const context = {
    tenant: call.ref.tenant,
    artifacts: deps.artifacts,
    ...(limits.readOnlyRole && { readOnlyRole: true as const }),
  };
  let prepared: unknown = args;
  let sentAtMs = claimed.sentAtMs;
  if (sentAtMs === undefined) {
    try {
      prepared = await inTime(tool, limits, signal, async (abort) =>
        tool.prepare?.(args as never, { ...context, signal: abort }),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      const refusal = error instanceof ToolTimeout ? timedOut(tool, limits) : thrown(tool, error);
      return { kind: 'not_sent', why: { kind: 'failed', refusal } };
    }
    sentAtMs = performance.now();
    const refused = await deps.ledger.transact(call.ref, { n: call.n }, (tx) => markSent(tx, call, claimed));
    if (refused) return { kind: 'not_sent', why: refused };
  }
  if (performance.now() - sentAtMs > sendWindowMs) return { kind: 'not_sent', why: { kind: 'late' } }; // I2
  const key = idempotencyKey(call.ref.tenant, ref);
  const callback = callbackOf(call, claimed);
  return await attemptSend(
    tool,
    limits,
    async (abort) =>
      asAnswer(tool, await tool.send(key, prepared as never, { ...context, ...callback, signal: abort })),
    onLate,
  );
}

function callbackOf({ ref, args: { step, index } }: Call<'act'>, { token }: Claimed): Pick<WriteContext, 'callback'> {
  if (token === undefined) return {};
  return {
    callback: { workflowId: workflowId(ref.tenant, ref.id), actionId: actionId(ref.id, step, index), token },
  };
}

/** A handle is a name, in characters; what is longer was not meant as one. */
const handleMax = 500;

/** Throws where there can be no such job, which leaves the effect unknown like every throw. */
function asAnswer(tool: WriteTool, result: SendResult): SendAnswer {
  if (result.kind !== 'pending') return result;
  const { handle, pollAfterMs } = result;
  if (!tool.job) throw new Error(`${tool.name} answered "pending", and declares no job.`);
  if (handle === '' || handle.length > handleMax)
    throw new Error(`${tool.name} gave its job a handle of ${handle.length} characters; 1 to ${handleMax} are taken.`);
  return {
    kind: 'committed',
    output: `${tool.name} was submitted as ${tool.job.shownAs?.(handle) ?? handle}.`,
    downstreamId: handle,
    job: pollAfterMs === undefined ? {} : { pollAfterMs },
  };
}

/** Whatever is thrown leaves the effect unknown (R4.5). `onLate` gets the answer of a send that did not end in time. */
async function attemptSend(
  tool: WriteTool,
  limits: RunLimits,
  start: (abort: AbortSignal) => Promise<SendAnswer>,
  onLate: (result: SendAnswer) => void,
): Promise<Sent> {
  let sending: Promise<SendAnswer> | undefined;
  try {
    const result = await inTime(tool, limits, undefined, async (abort) => {
      sending = start(abort);
      return sending;
    });
    return { kind: 'answered', result };
  } catch (error) {
    if (error instanceof ToolTimeout) {
      sending?.then(onLate, () => undefined);
      return { kind: 'thrown', code: 'TOOL_TIMEOUT', detail: 'it did not answer in time' };
    }
    return { kind: 'thrown', code: 'SEND_FAILED', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Commits SENT for what `prepare` has read; revocations, a cancel, a revised goal and the claim are looked at once more (E8, R4.9). */
async function markSent(tx: AttemptTx, call: Call<'act'>, claimed: Claimed): Promise<NotSent | undefined> {
  const { ref, fence, tool, owner } = claimed;
  if (tx.execution?.id !== owner) return { kind: 'late' };
  if (waits(tx, 'cancel') || waits(tx, 'suspend')) return { kind: 'stopped' };
  if (!claimed.resend && revisionWaits(tx)) return { kind: 'late' }; // the next try takes it, and is overruled
  const effect = await tx.effect(ref);
  if (effect?.fence !== fence || !isClaim(effect, claimed.resend)) return { kind: 'late' };
  const { step, index } = call.args;
  const approval = claimed.approval === undefined ? undefined : await tx.approval(step, index);
  const revoked = await revocationOf(tx, { tool, target: effect.target, step, index, approval });
  if (revoked) return { kind: 'revoked', why: revokedInWords(revoked) };
  tx.updateEffect(ref, fence, { phase: 'SENT', sent: true });
  tx.markTry(claimed.try, { sent: true });
  if (claimed.approval !== undefined) spend(tx, call, claimed.approval);
  return undefined;
}

const isClaim = ({ phase, committedAt }: Effect, resend: boolean) =>
  committedAt === null && phase === (resend ? 'UNKNOWN' : 'CLAIMED');

/** E8: a send spends the approval for every other action and generation. */
export function spend(tx: AttemptTx, { args: { step, index } }: Call<'act'>, ordinal: number): void {
  tx.closeApproval({ step, index, ordinal }, 'spent');
}
