import type { TenantCost } from '../domain/budget/tenant-cost';
import type { Hide } from '../domain/secrets/hide-secrets';
import type { NumberedDeps } from './numbered-call';
import type { ArtifactPort, DatabasePort, ModelPort, OpenPreview, VersionsPort, WorkspacePort } from './ports';

/** What the activities of one worker stand on. */
export interface ActivityDeps extends NumberedDeps {
  readonly models: ModelPort;
  readonly workspaces: WorkspacePort;
  readonly artifacts: ArtifactPort;
  /** None are configured where left out. */
  readonly databases?: DatabasePort | undefined;
  /** By tenant; one that is not there may cost what its attempts may. */
  readonly tenantCosts?: Readonly<Record<string, TenantCost>> | undefined;
  readonly versions: VersionsPort;
  /** Hides secrets in what checks print and jobs say (R10.4), as tools' own texts have it done; nothing is hidden where left out. */
  readonly hide?: Hide | undefined;
  /** Nobody looks on while models answer where left out. */
  readonly previews?: OpenPreview | undefined;
  /** Has what rows alone say - a child to start, a word to its parent - be done now, and not at the next look at them. */
  readonly soon?: (() => void) | undefined;
}

/** What the record of an attempt is read with. */
export type RecordDeps = Pick<ActivityDeps, 'ledger' | 'artifacts' | 'tools' | 'workspaces' | 'host'>;
