import { settleUsage } from './budget';
import type { AttemptTx } from './ledger-port';

/**
 * Closes what an execution of a model call left open: the request may have been answered and billed, and nobody can tell, so
 * its reservation is charged as the estimate (protocol.md, Money). Returns the number of its execution; 0 where there was none.
 */
export async function closeLostModelTry(tx: AttemptTx, step: number, tryNumber: number): Promise<number> {
  const open = await tx.modelTry(step, tryNumber);
  if (!open) return 0;
  if (!open.closed) {
    tx.closeModelTry({ step, try: tryNumber, execution: open.execution }, { outcome: 'lost', usage: open.reserved });
    settleUsage(tx, open.reserved, open.reserved);
  }
  return open.execution;
}
