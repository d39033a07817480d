import { type Effect, idempotencyKey } from '../../domain/effect/effect';
import { othersOf, phaseAfter } from '../../domain/effect/outcome';
import { failed } from '../../domain/failure/failed';
import type { Failure } from '../../domain/failure/failure';
import { isRetried } from '../../domain/failure/reactions';
import type { Call, CallAnswers } from '../../protocol/calls';
import { actionId } from '../../protocol/ids';
import type { ActivityDeps } from '../deps';
import { awaitJob, isJob } from '../jobs/await-job';
import type { AttemptTx, OwnEffect } from '../ledger-port';
import { noteOutsideConflict } from '../looks';
import { deny, observe, observeError, type Words } from '../observe';
import type { WriteTool } from '../ports';
import { stopped } from '../stopped';
import { takeMessages } from '../take-messages';
import { orStopped, tryAgain } from '../try-again';
import { settleCompensated } from './compensated';
import { giveBack } from './give-back';
import { observeKnown } from './known-outcome';
import type { Claimed, NotSent, SendAnswer, Sent } from './send';
import { markUnknown } from './unknown';

type Answer = CallAnswers['act'];
/** A committed answer with the text that the model is shown of it. */
export type Closing =
  | Exclude<Sent, { kind: 'answered' }>
  | { kind: 'answered'; result: SendAnswer; text: string; notice?: string };

/**
 * Transaction two of a write: what became of it (E4).
 *
 *   I1  A refusal or a throw proves nothing about other sends of the generation; where one is open, the row is UNKNOWN.
 *   I2  A late answer that said COMMITTED while this send was under way stands, whatever this send was answered.
 *   I3  The key is given back only where nothing was sent, or everything sent is proven to have been none (E1).
 */
export async function closeWrite(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  claimed: Claimed,
  sent: Closing,
): Promise<Answer> {
  const own = await tx.effectOf(call.args.step, call.args.index);
  if (!own || !isStillMine(own.effect, claimed))
    return await retryOrObserve(deps, tx, call, claimed, claimLost(claimed.tool), { about: claimed.tool.name });
  if (own.effect.committedAt) return await knownAfterAll(tx, call, claimed, own.effect, sent); // I2
  switch (sent.kind) {
    case 'not_sent':
      return await notSent(deps, tx, call, claimed, own, sent.why);
    case 'thrown':
      return thrown(tx, call, claimed, own, sent);
    case 'answered':
      return sent.result.kind === 'committed'
        ? await committed(tx, call, claimed, sent.result, sent)
        : await rejected(deps, tx, call, claimed, own, sent.result);
  }
}

/** E1, E2: another action takes the key of a claim whose owner's lease has run out; that row is over, whatever its fence. */
function isStillMine({ fence, generation, phase, sentAt }: Effect, claimed: Claimed): boolean {
  const released = phase === 'NOT_COMMITTED' && sentAt === null;
  return fence === claimed.fence && generation === claimed.ref.generation && !released;
}

async function knownAfterAll(
  tx: AttemptTx,
  call: Call<'act'>,
  { ref, fence, tool, try: key }: Claimed,
  effect: Effect,
  sent: Closing,
): Promise<Answer> {
  const agrees = sent.kind !== 'answered' || sent.result.kind === 'committed';
  tx.closeToolTry(key, agrees ? { outcome: 'ok' } : { outcome: 'error', failure: 'CONTRADICTED' });
  tx.updateEffect(ref, fence, { phase: 'COMMITTED', settledBy: 'late' });
  if (!agrees) {
    const action = actionId(call.ref.id, key.step, key.index);
    const name = { action, effect: idempotencyKey(call.ref.tenant, ref) };
    tx.addEvidence(ref, { kind: 'conflict', fence, body: { said: 'NOT_COMMITTED' } });
    tx.emit({ type: 'effect_conflict', payload: { ...name, recorded: 'COMMITTED', said: 'NOT_COMMITTED' } });
  }
  await settleCompensated(tx, true);
  const known = { ...effect, phase: 'COMMITTED' } as const;
  return isJob(tool, known) ? awaitJob(tx, call, tool, known) : await observeKnown(tx, call, tool, known);
}

async function committed(
  tx: AttemptTx,
  call: Call<'act'>,
  { ref, fence, tool, try: key }: Claimed,
  { downstreamId, job }: Extract<SendAnswer, { kind: 'committed' }>,
  { text, notice }: Extract<Closing, { kind: 'answered' }>,
): Promise<Answer> {
  tx.updateEffect(ref, fence, {
    phase: 'COMMITTED',
    committed: true,
    settledBy: 'send',
    ...(downstreamId === undefined ? {} : { downstreamId }),
  });
  tx.closeToolTry(key, { outcome: 'ok' });
  await settleCompensated(tx, true);
  if (job && downstreamId !== undefined) return awaitJob(tx, call, tool, { ...ref, downstreamId }, job);
  return observe(tx, call.args, { of: tool }, { ok: true, output: '' }, text, undefined, notice);
}

async function rejected(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  claimed: Claimed,
  { effect, sends }: OwnEffect,
  { failure, error, notSent }: Extract<SendAnswer, { kind: 'rejected' }>,
): Promise<Answer> {
  const { ref, fence, tool, try: key } = claimed;
  const refusal = { ok: false, failure, error } as const;
  tx.markTry(key, { proven: true });
  const isFinal = tool.rejectionIsFinalForKey === true && !notSent;
  const phase = phaseAfter('rejected', othersOf(sends, key), isFinal);
  if (phase === 'UNKNOWN') {
    tx.closeToolTry(key, { outcome: 'error', failure: failure.code });
    markUnknown(tx, call.ref, effect, failure.code, error.message);
    return { kind: 'unknown' };
  }
  // Another try of the same action stays in its generation (E1).
  if (isRetried(failure, key.try)) tx.updateEffect(ref, fence, { phase: 'CLAIMED', sent: null });
  else {
    tx.updateEffect(ref, fence, { phase, settledBy: 'send' });
    await settleCompensated(tx, false);
  }
  return await retryOrObserve(deps, tx, call, claimed, refusal);
}

/** R4.5: whatever was thrown, it may have taken effect. A class that permits a resend gets one, under the same key (E5). */
function thrown(
  tx: AttemptTx,
  call: Call<'act'>,
  { tool, try: key }: Claimed,
  { effect }: OwnEffect,
  { code, detail }: Extract<Sent, { kind: 'thrown' }>,
): Answer {
  tx.closeToolTry(key, { outcome: 'unknown', failure: code });
  markUnknown(tx, call.ref, effect, code, detail);
  const failure: Failure = { class: 'tool_transient', code };
  const again = (tool.effect === 'idempotent' || tool.effect === 'deduplicated') && isRetried(failure, key.try);
  if (!again) return { kind: 'unknown' };
  tx.emit({ type: 'tool_retry', payload: { index: key.index, code, try: key.try } });
  return { kind: 'failed', failure };
}

async function notSent(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  claimed: Claimed,
  { effect, sends }: OwnEffect,
  why: NotSent,
): Promise<Answer> {
  const { tool, try: key, fence, ref, rule } = claimed;
  if (claimed.sentAtMs !== undefined || why.kind === 'late') tx.markTry(key, { sent: false });
  const others = othersOf(sends, key);
  if (others.some((other) => !other.proven)) {
    // An earlier send of this generation is open still, whatever kept this one from being made.
    tx.closeToolTry(key, { outcome: 'error', failure: codeOf(why) });
    if (effect.phase !== 'UNKNOWN') tx.updateEffect(ref, fence, { phase: 'UNKNOWN' });
    return { kind: 'unknown' };
  }
  const back = { phase: 'CLAIMED', sent: null } as const;
  switch (why.kind) {
    case 'late': {
      tx.updateEffect(ref, fence, back);
      return await retryOrObserve(deps, tx, call, claimed, tooLate(tool), { about: tool.name });
    }
    case 'failed': {
      if (isRetried(why.refusal.failure, key.try)) tx.updateEffect(ref, fence, back);
      else giveBack(tx, effect);
      return await retryOrObserve(deps, tx, call, claimed, why.refusal);
    }
    case 'revoked': {
      giveBack(tx, effect);
      tx.closeToolTry(key, { outcome: 'error', failure: 'REVOKED' });
      const by = { policy: deps.policy.version, worker: deps.executions.worker(), execution: key.execution + 1 };
      return deny(
        tx,
        call.args,
        tool.name,
        { rule, code: 'REVOKED', why: why.why, next: 'Go on without it, or ask the user.' },
        { fingerprint: null },
        by,
      );
    }
    case 'stopped': {
      giveBack(tx, effect);
      tx.closeToolTry(key, { outcome: 'interrupted' });
      const interrupted = stopped(await takeMessages(deps, tx, call, 'stops'));
      if (interrupted) return interrupted;
      throw new Error('What stopped a write is gone from the inbox that the attempt alone empties.');
    }
  }
}

async function retryOrObserve(
  { tools }: ActivityDeps,
  tx: AttemptTx,
  call: Call<'act'>,
  { tool, target, args, try: key }: Claimed,
  refusal: ReturnType<typeof failed>,
  words: Words = { of: tool },
): Promise<Answer> {
  const { failure } = refusal;
  const again = tryAgain(tx, key, failure);
  if (again) return again;
  tx.closeToolTry(key, { outcome: 'error', failure: failure.code });
  if (failure.class === 'state_conflict') await noteOutsideConflict(tools, tx, tool, { target, args });
  const about = { index: key.index, tool: tool.name };
  return orStopped(tx, about, refusal, observeError(tx, call.args, words, refusal));
}

function codeOf(why: NotSent): string {
  switch (why.kind) {
    case 'failed':
      return why.refusal.failure.code;
    case 'revoked':
      return 'REVOKED';
    case 'late':
      return 'SEND_WINDOW_MISSED';
    case 'stopped':
      return 'STOPPED';
  }
}

const tooLate = (tool: WriteTool) =>
  failed(
    { class: 'tool_transient', code: 'SEND_WINDOW_MISSED' },
    `${tool.name} was not sent: this process was held up after it was allowed.`,
    'Try again.',
  );
const claimLost = (tool: WriteTool) =>
  failed(
    { class: 'tool_transient', code: 'CLAIM_LOST' },
    `${tool.name} was not sent: another call had its key first.`,
    'Try again.',
  );
