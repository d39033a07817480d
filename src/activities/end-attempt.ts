import { type EndState, isEnd, type Reason } from '../domain/attempt/states';
import type { Contract } from '../domain/contract/contract';
import { writeCheckpoint } from './checkpoint';
import type { AttemptTx } from './ledger-port';
import { rejectMessages } from './messages';

export interface Ended {
  readonly kind: 'ended';
  readonly state: EndState;
  readonly reason: Reason;
}

/** M8: ends the attempt where it has not ended, and says what its row then says. */
export async function endAttempt(tx: AttemptTx, contract: Contract, state: EndState, reason: Reason): Promise<Ended> {
  if (tx.attempt.ended) return standing(tx);
  rejectMessages(tx, `The attempt had ended (${state}).`);
  tx.update({ state, reason, taskCompletion: state === 'COMPLETED' ? 'met' : 'unmet', ended: true });
  await writeCheckpoint(tx, contract);
  tx.emit({ type: 'ended', payload: { state, reason } });
  return { kind: 'ended', state, reason };
}

function standing({ attempt: { state, reason } }: AttemptTx): Ended {
  if (!isEnd(state) || reason === null) throw new Error(`An ended attempt is in the state ${state}.`);
  return { kind: 'ended', state, reason };
}
