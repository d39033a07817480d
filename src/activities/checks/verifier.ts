import type { ActivityDeps } from '../deps';
import type { AttemptRow } from '../ledger-port';
import type { Audit } from './audit';
import type { Checked } from './checked';

/** What a verifier stands on: one attempt as it was when its candidate was proposed. */
export interface CheckScene {
  readonly deps: ActivityDeps;
  readonly attempt: AttemptRow;
  readonly audit: Audit;
  readonly signal: AbortSignal;
}

/**
 * Judges one criterion of a candidate (R3.3) and changes nothing. A WorkspaceError, ArtifactError or DatabaseError means that the check
 * could not run; anything else that it throws is a bug. Rejects with the signal's reason where that is aborted.
 */
export type Verifier<C> = (scene: CheckScene, criterion: C) => Promise<Checked>;
