import type { AttemptTx } from './ledger-port';

/** A word of the runtime to the model, shown after what the newest step answered. */
export function tellModel(tx: AttemptTx, text: string): void {
  const { turn, step } = tx.attempt;
  tx.insert('inputs', { ordinal: tx.lastInput + 1, turn, after_step: step, kind: 'feedback', body: { text } });
}
