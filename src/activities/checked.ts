import type { Failure } from '../domain/failure/failure';
import type { EvidenceBody } from './ledger-port';

/** What one check of a candidate found. */
export type Checked =
  | {
      readonly kind: 'checked';
      readonly met: boolean;
      /** Of the workspace, where that was looked at. */
      readonly snapshot: string | null;
      readonly evidence: EvidenceBody;
    }
  /** The check itself could not run: nothing is known about the candidate. */
  | { readonly kind: 'failed'; readonly failure: Failure };
