import { actionId } from '../protocol/ids';
import { voidApprovals } from './approvals';
import type { AttemptTx } from './ledger-port';
import { observeRefusal } from './observe-refusal';

const notRun = {
  code: 'NOT_RUN',
  message: 'The attempt paused before this call.',
  suggestedAction: 'Call it again if it is still wanted.',
};

/**
 * Actions of the newest step that a pause broke off are over (R5.4): the model is told so, for each call must have a result,
 * and what was asked for them is withdrawn. Throws where one of them sent something: that is no action which did not run.
 */
export async function breakOff(tx: AttemptTx): Promise<void> {
  const { step, ref } = tx.attempt;
  const left = await tx.unobserved();
  if (left.length === 0) return;
  const isLeft = (action: { step: number; index: number }) =>
    action.step === step && left.some(({ index }) => index === action.index);
  for (const effect of (await tx.ownEffects()).filter(isLeft)) {
    if (effect.phase === 'CLAIMED')
      tx.updateEffect(effect, effect.fence, { phase: 'NOT_COMMITTED', settledBy: 'runtime' });
    else if (effect.sentAt !== null)
      throw new Error(`${actionId(ref.id, step, effect.index)} was sent; it cannot be broken off.`);
  }
  await voidApprovals(tx, isLeft);
  for (const { index } of left) observeRefusal(tx, { step, index }, notRun);
}
