import type { Place } from '../job-rows';
import type { AttemptTx } from '../ledger-port';

/** R11.2: a job that was done all the same took effect after the cancel, which the end then says. */
export async function noteLateSuccess(tx: AttemptTx, { step, index }: Place): Promise<void> {
  const own = await tx.effectOf(step, index);
  if (own) tx.updateEffect(own.effect, own.effect.fence, { committed: true });
}
