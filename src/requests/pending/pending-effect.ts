import type { Principal } from '../../domain/policy/policy';
import type { UnknownEffect } from '../../ledger/queries/unknown-effects';
import { callWords } from '../words/call-words';
import { commandText } from '../words/command-text';
import { byWhom } from './by-whom';
import type { Pending } from './pending';

/** An effect of which nobody can tell yet whether it happened. */
export function pendingEffect(
  tenant: string,
  { attemptId, ...effect }: UnknownEffect,
  principals: readonly Principal[],
): Pending {
  const { actionId, tool, args, target, asked } = effect;
  const place = actionId.slice(attemptId.length + 1);
  const settle = (word: string) =>
    commandText(tenant, 'reconcile', attemptId, place, `--${word}`, ...byWhom(principals), '--evidence "what you saw"');
  const look = `Look at ${target} on the other side, then say what you found`;
  return {
    kind: 'reconcile',
    attemptId,
    ...effect,
    text: `the truth about ${callWords(tool, args)}: it was sent, and nobody here can tell whether it happened`,
    advice: asked ? `${look}.` : `It is still being looked at. If you know: ${look[0]?.toLowerCase()}${look.slice(1)}.`,
    command: settle('committed'),
    or: settle('not-committed'),
  };
}
