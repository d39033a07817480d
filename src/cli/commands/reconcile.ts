import type { ReconcileBody } from '../../protocol/messages';
import { checkedEvidence, reconcileEffect } from '../../requests/acts/reconcile-effect';
import { untaken } from '../../requests/messages/untaken';
import { find } from '../../requests/naming/find';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';

export interface ReconcileOptions extends CommonOptions {
  readonly committed?: boolean;
  readonly notCommitted?: boolean;
  readonly evidence?: string;
  readonly by?: string;
}

/** A person's word on an effect that nobody else can tell of (R4.7), with what they looked at. */
export async function reconcile(
  given: string,
  action: string | undefined,
  options: ReconcileOptions,
): Promise<ExitCode> {
  const outcome = outcomeOf(options);
  const evidence = checkedEvidence(options.evidence ?? '');
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { actionId, messageId, fate } = await reconcileEffect(session, ref, { action, outcome, evidence });
    const { name: by } = session.sender;
    const words = outcome === 'committed' ? 'it happened' : 'it did not happen';
    const text =
      fate === 'waiting'
        ? await untaken(session, ref, 'reconcile')
        : `Recorded of ${actionId}: ${words}, by ${by}. ${ref.id} goes on with that.`;
    if (options.json) printJson({ attemptId: ref.id, actionId, messageId, outcome, by, fate });
    else tell(session, text);
    return exitCodes.done;
  });
}

function outcomeOf({ committed = false, notCommitted = false }: ReconcileOptions): ReconcileBody['outcome'] {
  if (committed !== notCommitted) return committed ? 'committed' : 'not_committed';
  throw new CliError(
    exitCodes.usage,
    committed ? 'It either happened or it did not.' : 'Say what happened.',
    'Look at the other side, then say --committed or --not-committed, with --evidence "what you saw".',
  );
}
