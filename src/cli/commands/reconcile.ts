import { unknownEffects } from '../../ledger/queries/unknown-effects';
import type { ReconcileBody } from '../../protocol/messages';
import { actionNamed } from '../action-name';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { checkedMessage } from '../message-text';
import { printJson } from '../output';
import { rejection } from '../rejection';
import { byLogin, loginName } from '../send';
import { withSession } from '../session';
import { tell } from '../tell';
import { untaken } from '../untaken';

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
  const evidence = evidenceOf(options);
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const unknown = await unknownEffects(session.pool, { tenant: ref.tenant, attempt: ref.key });
    const ids = unknown.map(({ actionId }) => actionId);
    const actionId = actionNamed(ref, action, { ids, what: 'has an effect that is unknown' });
    const { by = loginName() } = options;
    const body = { actionId, outcome, by, evidence };
    const { messageId, fate } = await deliver(session, ref, { kind: 'reconcile', body });
    if (fate.kind === 'rejected')
      throw rejection(ref, 'reconcile', fate.why, exitCodes.usage, byLogin(session, options));
    const words = outcome === 'committed' ? 'it happened' : 'it did not happen';
    const text =
      fate.kind === 'waiting'
        ? await untaken(session, ref, 'reconcile')
        : `Recorded of ${actionId}: ${words}, by ${by}. ${ref.id} goes on with that.`;
    if (options.json) printJson({ attemptId: ref.id, actionId, messageId, outcome, by, fate: fate.kind });
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

function evidenceOf({ evidence = '' }: ReconcileOptions): string {
  if (evidence.trim() !== '') return checkedMessage(evidence);
  throw new CliError(
    exitCodes.usage,
    'A word on an effect needs evidence.',
    'Say what you looked at: --evidence "mail-9 in the shop\'s log".',
  );
}
