import type { Failure } from '../../domain/failure/failure';
import type { EvidenceBody } from '../ledger-port';

/** What one check of a candidate found. */
export type Checked =
  | {
      readonly kind: 'checked';
      readonly met: boolean;
      /** Of the workspace, where that was looked at. */
      readonly snapshot: string | null;
      readonly evidence: EvidenceBody;
      /** The evidence shows content that nobody here vouches for (R5). */
      readonly untrusted?: true;
    }
  /** The check itself could not run: nothing is known about the candidate. */
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What is wrong is the check or what it stands on, so a person has to look and the model cannot repair it. */
export const cannotCheck = (code: string): Checked => ({
  kind: 'failed',
  failure: { class: 'environment_drift', code },
});
