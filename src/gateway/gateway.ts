import type { Pool } from 'pg';
import type { ArtifactPort } from '../activities/ports';
import type { Config } from '../config';
import type { PreviewEars } from '../ledger/previews/hear-previews';
import type { KnownNames } from '../requests/task/known-names';
import type { SharedClient } from '../temporal/shared-client';
import type { Authenticate } from './auth/authenticate';
import type { AttemptTails } from './stream/attempt-tail';

/** What the routes work with. */
export interface Gateway {
  /** Of the ledger, for what belongs to no tenant: tokens, readiness. */
  readonly pool: Pool;
  readonly authenticate: Authenticate;
  readonly config: Config;
  /** Names that a task file may use, as far as this process knows them; looked up once. */
  known(): Promise<KnownNames>;
  readonly artifacts: ArtifactPort;
  readonly tails: AttemptTails;
  readonly ears: PreviewEars;
  readonly temporal: SharedClient;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}
