import { failed } from '../domain/failure/failed';
import type { FailureClass } from '../domain/failure/failure';
import type { AttemptTx } from './ledger-port';

type Place = { readonly step: number; readonly index: number };

/** An error that the model is shown in place of what an action would have answered (R8.3). */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly suggestedAction: string;
}

/** Writes the observation of an action that the runtime broke off, lost or never began: each call must have a result. */
export function observeRefusal(tx: AttemptTx, place: Place, { code, message, suggestedAction }: Refusal): void {
  const { error } = failed({ class: 'tool_business', code }, message, suggestedAction);
  observeUnrun(tx, place, { ok: false, text: JSON.stringify({ ok: false, error }) });
}

/** The same for what the runtime answers without a tool, in the text that the model is shown. */
export function observeUnrun(
  tx: AttemptTx,
  { step, index }: Place,
  shown: { ok: boolean; text: string; failureClass?: FailureClass },
): void {
  const tokens = Math.ceil(Buffer.byteLength(shown.text) / 4);
  const unrun = {
    snapshot: null,
    result_hash: null,
    failure_class: shown.failureClass ?? null,
    failing_tests: null,
    found_nothing: false,
  };
  tx.insert('observations', { step, index, ok: shown.ok, body: { text: shown.text }, tokens, ...unrun });
}
