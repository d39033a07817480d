import { completion } from '../domain/contract/completion';
import type { Contract } from '../domain/contract/contract';
import type { Effect } from '../domain/effect/effect';
import { actionId } from '../protocol/ids';
import type { AttemptTx } from './ledger-port';

/** Version of the document, for the readers of older ones. */
const checkpointVersion = 1;

/**
 * Writes what the attempt stands on, at a pause and at the end (R12.1): state, task state, unmet criteria, versions, budget,
 * effects and workspace. The view is built from ledger rows, so the step and the highest input name its version. `effects`:
 * all of the attempt's, as this transaction leaves them.
 */
export async function writeCheckpoint(tx: AttemptTx, contract: Contract, effects?: readonly Effect[]): Promise<void> {
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
      effects: effectsIn(tx, effects ?? (await tx.ownEffects())),
      models: start.models.map((model) => model.name),
      flow: start.flow,
      versions,
    },
  });
}

/** The rows of committed effects tell the rest; those of which the truth is open are named, with the place to look at. */
function effectsIn(tx: AttemptTx, effects: readonly Effect[]) {
  const uncertain = effects
    .filter(({ phase }) => phase === 'SENT' || phase === 'UNKNOWN')
    .map(({ step, index, phase }) => ({ action: actionId(tx.attempt.ref.id, step, index), phase }));
  return {
    committed: effects.filter(({ committedAt, phase }) => committedAt !== null || phase === 'COMMITTED').length,
    uncertain,
  };
}
