import { type Effect, idempotencyKey, isOpen } from '../../domain/effect/effect';
import { type AttemptRef, actionId } from '../../protocol/ids';
import type { ActivityDeps } from '../deps';
import type { AttemptTx } from '../ledger-port';
import type { ProbeResult } from '../ports';
import { settleCompensated } from './compensated';
import { landProbe, type Probing, probeStart, runProbe } from './probe-effect';
import { markUnknown } from './unknown';

/**
 * The open effects of an attempt that is about to end (M5, M8): each is looked at, and nothing is sent again for the sake of
 * an end.
 */

/** Longest for all looks together, ms: the call that makes them has a minute for everything, and is made again. */
const looksMaxMs = 10_000;
/** Looks of this kind are not counted in rounds: they go on until the truth is known. */
const uncounted = 0;

type LookDeps = Pick<ActivityDeps, 'ledger' | 'tools' | 'artifacts'>;

/** Asks once for each open effect that can be asked for, and writes down what was found. Rejects with the signal's reason. */
export async function lookAtOpenEffects(
  deps: LookDeps,
  ref: AttemptRef,
  n: number,
  signal: AbortSignal,
): Promise<void> {
  const looks = await deps.ledger.transact(ref, { n }, async (tx) => {
    const probings: Probing[] = [];
    for (const effect of (await tx.ownEffects()).filter(isOpen)) {
      const start = await probeStart(deps, tx, effect);
      if (!('next' in start)) probings.push(start);
    }
    return probings;
  });
  if (looks.length === 0) return;
  const limit = AbortSignal.timeout(looksMaxMs);
  const found = await Promise.all(looks.map((look) => lookOnce(deps, ref, look, signal, limit)));
  await deps.ledger.transact(ref, { n }, async (tx) => {
    for (const [at, look] of looks.entries())
      await landProbe(deps.tools, tx, look, found[at] ?? { kind: 'unknown' }, uncounted);
  });
}

async function lookOnce(
  deps: LookDeps,
  { tenant }: AttemptRef,
  look: Probing,
  signal: AbortSignal,
  limit: AbortSignal,
): Promise<ProbeResult> {
  try {
    return await runProbe(deps, tenant, look, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'unknown' };
  }
}

export interface AtTheEnd {
  /** All of the attempt's, as this transaction leaves them. */
  readonly effects: readonly Effect[];
  readonly open: readonly Effect[];
}

/** What is still open. That an effect can happen no more permits a resend, and where nothing is sent again it ends the matter. */
export async function effectsAtEnd(tx: AttemptTx): Promise<AtTheEnd> {
  const effects: Effect[] = [];
  for (const effect of await tx.ownEffects()) {
    if (effect.phase === 'UNKNOWN' && effect.resend) effects.push(await closeFinal(tx, effect));
    else {
      if (effect.phase === 'SENT' && !effect.ownerLive) markUnknown(tx, tx.attempt.ref, effect, 'NO_ANSWER');
      effects.push(effect);
    }
  }
  return { effects, open: effects.filter(isOpen) };
}

async function closeFinal(tx: AttemptTx, effect: Effect): Promise<Effect> {
  const { ref } = tx.attempt;
  tx.updateEffect(effect, effect.fence, { phase: 'NOT_COMMITTED', settledBy: 'probe' });
  const action = actionId(ref.id, effect.step, effect.index);
  const name = idempotencyKey(ref.tenant, effect);
  tx.emit({ type: 'effect_settled', payload: { action, effect: name, as: 'not_committed', by: 'probe' } });
  await settleCompensated(tx, false);
  return { ...effect, phase: 'NOT_COMMITTED', settledBy: 'probe' };
}
