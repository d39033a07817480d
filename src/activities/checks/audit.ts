import { actionHash } from '../../protocol/action-hash';
import type { Call } from '../../protocol/calls';
import { ExecutionLostError } from '../errors';
import type { LedgerPort } from '../ledger-port';
import type { ReadTool } from '../ports';

/** Told of each look of a check before it is made; `look` counts them. */
export type Audit = (tool: ReadTool, args: unknown, look: number) => Promise<void>;

/**
 * Each look of a check at protected data is on record before it is made (R9.3). Rejects with ExecutionLostError where the number
 * has its answer, for then nobody may look any more.
 */
export function auditCheck(ledger: LedgerPort, { ref, n, args }: Call<'verify' | 'verifySealed'>): Audit {
  return async (tool, asked, look) => {
    if (!tool.protected) return;
    await ledger.transact(ref, { n }, (tx) => {
      if (tx.attempt.ended || tx.answered) throw new ExecutionLostError(`Move ${n} of ${ref.id} was taken over.`);
      const payload = { tool: tool.name, argsHash: actionHash(tool.name, asked), try: look, ...args };
      tx.emit({ type: 'protected_read', payload }, 'auditor');
    });
  };
}
