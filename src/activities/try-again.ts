import type { Failure } from '../domain/failure/failure';
import { isRetried } from '../domain/failure/reactions';
import type { CallAnswers, Failed } from '../protocol/calls';
import type { AttemptTx } from './ledger-port';
import type { Refusal } from './observe';

type Answer = CallAnswers['act'];
interface TryKey {
  readonly step: number;
  readonly index: number;
  readonly try: number;
  readonly execution: number;
}

/** Of what a tool says of its failure, characters: an event is no place for a long text. */
const detailMaxChars = 500;

/** Closes a try whose failure passes by itself, for the workflow to make another (R8.5); undefined where none follows. */
export function tryAgain(tx: AttemptTx, key: TryKey, failure: Failure): Failed | undefined {
  if (!isRetried(failure, key.try)) return undefined;
  tx.closeToolTry(key, { outcome: 'transient', failure: failure.code });
  tx.emit({ type: 'tool_retry', payload: { index: key.index, code: failure.code, try: key.try } });
  return { kind: 'failed', failure };
}

/** R8.6: what the model can do nothing about stops the workflow, and a person is told which tool it was and what to do. */
export function orStopped(
  tx: AttemptTx,
  { index, tool }: { readonly index: number; readonly tool: string },
  { failure, error }: Refusal,
  observed: Answer,
): Answer {
  if (failure.class !== 'unrecoverable') return observed;
  const detail = `${error.message} ${error.suggested_action}`.slice(0, detailMaxChars);
  tx.emit({ type: 'tool_failed', payload: { index, tool, code: failure.code, detail } });
  return { kind: 'failed', failure };
}
