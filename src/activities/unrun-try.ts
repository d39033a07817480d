import type { Call } from '../protocol/calls';
import type { AttemptTx, Inserts } from './ledger-port';

/** What is known of a try that was refused or answered before anything of it ran. */
export type UnrunTry = Omit<Inserts['tool_tries'], 'step' | 'index' | 'try' | 'snapshot' | 'sent' | 'closed'>;

/** Records a try that is over as it begins; `failure`: the code of what the model is told instead. */
export function insertUnrunTry(
  tx: AttemptTx,
  { step, index, try: tryNumber }: Call<'act'>['args'],
  of: UnrunTry,
  failure: string,
): void {
  const { snapshot } = tx.attempt;
  const closed = { outcome: 'not_run', failure } as const;
  tx.insert('tool_tries', { step, index, try: tryNumber, ...of, snapshot, sent: false, closed });
}
