import { verifyLedger } from '../../ledger/verify/verify-ledger';
import { plural } from '../../requests/words/words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { paint, printJson, say } from '../output';
import { withSession } from '../session';

/** Checks the ledger's own invariants over all rows, of every tenant. */
export function verify(options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async ({ pool }) => {
    const findings = await verifyLedger(pool);
    const ok = findings.length === 0;
    if (options.json) printJson({ ok, findings });
    else if (ok) say(`${paint('green', '✓')} every rule of the ledger holds`);
    else {
      for (const { rule, where, what } of findings) say(`${paint('red', '✗')} ${where}: ${what}\n    ${rule}`);
      say(`${plural(findings.length, 'finding')}. The rows are history: keep them, stop what writes, and report them.`);
    }
    return ok ? exitCodes.done : exitCodes.failed;
  });
}
