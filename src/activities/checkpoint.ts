import { completion } from '../domain/contract/completion';
import type { Contract } from '../domain/contract/contract';
import type { AttemptTx } from './ledger-port';

/** Version of the document, for the readers of older ones. */
const checkpointVersion = 1;

/**
 * Writes what the attempt stands on, at a pause and at the end (R12.1): state, task state, unmet criteria, versions, budget
 * and workspace. The view is built from ledger rows, so the step and the highest input name its version.
 */
export async function writeCheckpoint(tx: AttemptTx, contract: Contract): Promise<void> {
  const { state, reason, turn, step, heard, account, limits, baseCommit, snapshot, start, versions } = tx.attempt;
  const { unmet, unjudged } = completion(contract, await tx.newestEvidence());
  tx.insert('checkpoints', {
    n: tx.n,
    body: {
      v: checkpointVersion,
      state,
      reason,
      turn,
      step,
      heard,
      taskState: (await tx.taskState()) ?? null,
      unmet: [...unmet, ...unjudged],
      account,
      limits,
      baseCommit,
      snapshot,
      models: start.models.map((model) => model.name),
      flow: start.flow,
      versions,
    },
  });
}
