import { withoutCredentials } from '../domain/contract/without-credentials';
import { isAllowedSource } from './allowed-source';
import type { Host } from './host';
import { workspaceError } from './workspace-errors';

/** Throws WorkspaceError where the source does not lie where sources may lie, as the place is now. */
export function refuseSource(host: Host, source: string): void {
  const sources = host.sources?.map(withoutCredentials); // as the source is kept
  if (sources === undefined || isAllowedSource(source, sources)) return;
  throw workspaceError(
    'SOURCE_NOT_ALLOWED',
    `A workspace may not come from ${source}, or what that repository reads from elsewhere.`,
    `The configuration (workspace.sources) allows: ${sources.join(', ')}.`,
  );
}
