import type { AttemptTx } from './ledger-port';

/** Version of the document, for the readers of older ones. */
const checkpointVersion = 1;

/** Writes what the attempt stands on, at a pause and at the end (R12.1); the ledger's own rows hold the rest. */
export function writeCheckpoint(tx: AttemptTx): void {
  const { state, reason, turn, step, account, limits, baseCommit, snapshot, start } = tx.attempt;
  tx.insert('checkpoints', {
    n: tx.n,
    body: {
      v: checkpointVersion,
      state,
      reason,
      turn,
      step,
      account,
      limits,
      baseCommit,
      snapshot,
      models: start.models.map((model) => model.name),
      flow: start.flow,
    },
  });
}
