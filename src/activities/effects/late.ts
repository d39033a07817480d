import { type EffectRef, idempotencyKey } from '../../domain/effect/effect';
import { othersOf, settle } from '../../domain/effect/outcome';
import { actionId } from '../../protocol/ids';
import type { AttemptTx } from '../ledger-port';
import { settleCompensated } from './compensated';
import type { SendAnswer } from './send';

interface LateSend {
  readonly ref: EffectRef;
  readonly fence: number;
  readonly try: { readonly step: number; readonly index: number; readonly try: number; readonly execution: number };
  readonly finalRefusal: boolean;
}

/**
 * An answer of the other side that came after somebody else went on (E4). It is kept as evidence and changes no ownership; a
 * row that nobody can tell of is settled by it, and where it contradicts what was recorded a person must look.
 */
export async function keepLate(
  tx: AttemptTx,
  { ref, fence, try: key, finalRefusal }: LateSend,
  result: SendAnswer,
): Promise<void> {
  const effect = await tx.effect(ref);
  if (!effect) return;
  const { tenant, id } = tx.attempt.ref;
  const said = result.kind === 'committed' ? 'COMMITTED' : 'NOT_COMMITTED';
  const body =
    result.kind === 'committed'
      ? { said, ...(result.downstreamId === undefined ? {} : { downstreamId: result.downstreamId }) }
      : { said, code: result.failure.code };
  const name = { action: actionId(id, key.step, key.index), effect: idempotencyKey(tenant, ref) };
  if (result.kind === 'rejected') tx.markTry(key, { proven: true });
  // A refusal speaks for its own send; the others are asked for one by one.
  const isFinal = result.kind === 'committed' || (finalRefusal && !result.notSent);
  const speaks = isFinal || (await onlySend(tx, key));
  const settlement = settle(effect, said);
  if (speaks && settlement.kind === 'conflict') {
    tx.addEvidence(ref, { kind: 'conflict', fence, body });
    tx.emit({ type: 'effect_conflict', payload: { ...name, recorded: effect.phase, said } });
    if (result.kind === 'rejected') return;
    // Whoever was told that it did not happen must look; nobody may do it a second time meanwhile.
    tx.addEvidence(ref, { kind: 'late', fence, body });
    tx.updateEffect(ref, effect.fence, { phase: 'COMMITTED', settledBy: 'late', ...committed(result) });
    await settleCompensated(tx, true);
    return;
  }
  tx.addEvidence(ref, { kind: 'late', fence, body });
  if (!speaks || settlement.kind !== 'settles') return;
  if (effect.phase !== 'UNKNOWN' && effect.ownerLive) {
    // Its owner decides by this when its own answer comes, or when it is found to have ended.
    if (result.kind === 'committed') tx.updateEffect(ref, effect.fence, committed(result));
    return;
  }
  if (effect.phase !== 'UNKNOWN' && result.kind === 'rejected') return;
  tx.updateEffect(ref, effect.fence, {
    phase: said,
    settledBy: 'late',
    ...(result.kind === 'committed' ? committed(result) : {}),
  });
  tx.emit({
    type: 'effect_settled',
    payload: { ...name, as: said === 'COMMITTED' ? 'committed' : 'not_committed', by: 'late' },
  });
  await settleCompensated(tx, said === 'COMMITTED');
}

const committed = ({ output, downstreamId }: Extract<SendAnswer, { kind: 'committed' }>) => ({
  committed: true as const,
  outcome: output,
  ...(downstreamId === undefined ? {} : { downstreamId }),
});

async function onlySend(tx: AttemptTx, key: LateSend['try']): Promise<boolean> {
  const own = await tx.effectOf(key.step, key.index);
  const others = othersOf(own?.sends ?? [], key);
  return others.every((sent) => sent.proven);
}
