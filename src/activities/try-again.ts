import type { Failure } from '../domain/failure/failure';
import { isRetried } from '../domain/failure/reactions';
import type { CallAnswers, Failed } from '../protocol/calls';
import type { AttemptTx } from './ledger-port';

type Answer = CallAnswers['act'];
interface TryKey {
  readonly step: number;
  readonly index: number;
  readonly try: number;
  readonly execution: number;
}

/** Closes a try whose failure passes by itself, for the workflow to make another (R8.5); undefined where none follows. */
export function tryAgain(tx: AttemptTx, key: TryKey, failure: Failure): Failed | undefined {
  if (!isRetried(failure, key.try)) return undefined;
  tx.closeToolTry(key, { outcome: 'transient', failure: failure.code });
  tx.emit({ type: 'tool_retry', payload: { index: key.index, code: failure.code, try: key.try } });
  return { kind: 'failed', failure };
}

/** R8.6: what the model can do nothing about stops the workflow, and a person is shown it too. */
export const orStopped = (observed: Answer, failure: Failure): Answer =>
  failure.class === 'unrecoverable' ? { kind: 'failed', failure } : observed;
