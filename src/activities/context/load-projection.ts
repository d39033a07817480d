import { type Projection, readProjection } from '../../domain/context/projection';
import { loadBody } from '../bodies';
import type { ActivityDeps } from '../deps';
import type { Body } from '../ledger-port';

/** A stored projection. Throws UnreadableProjection, and where the object store has lost it. */
export async function loadProjection(
  { artifacts }: Pick<ActivityDeps, 'artifacts'>,
  tenant: string,
  body: Body,
): Promise<Projection> {
  return readProjection(JSON.parse(await loadBody(artifacts, tenant, body)));
}
