import { chargeTurn } from '../domain/budget/reserve';
import type { Exceeded } from '../protocol/calls';
import { breakOff } from './break-off';
import { charge } from './budget';
import type { AttemptTx } from './ledger-port';

export interface NextTurn {
  readonly kind: 'said';
  readonly turn: number;
}

/** Whether a call has taken a word from the user that no model has been told. */
export const isUnheard = (tx: AttemptTx): boolean => tx.lastMessageInput > tx.attempt.heard;

/** The next turn, with what the user said; refused where no turn is left. */
export async function goOn(tx: AttemptTx): Promise<NextTurn | Exceeded> {
  const over = charge(tx, chargeTurn(tx.attempt.account, tx.attempt.limits));
  if (over) return over;
  const turn = tx.attempt.turn + 1;
  tx.update({ turn, reason: null });
  tx.insert('turns', { turn, first_step: tx.attempt.step + 1 });
  await breakOff(tx);
  return { kind: 'said', turn };
}
