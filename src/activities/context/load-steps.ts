import type { ViewStep } from '../../domain/context/view-facts';
import { loadBody } from '../bodies';
import type { ActivityDeps } from '../deps';
import type { Body, ViewRows } from '../ledger-port';

/** Steps as a view shows them, with the texts that are kept in the object store. */
export function loadSteps(
  { artifacts }: Pick<ActivityDeps, 'artifacts'>,
  tenant: string,
  steps: ViewRows['steps'],
): Promise<ViewStep[]> {
  const load = (body: Body) => loadBody(artifacts, tenant, body);
  return Promise.all(
    steps.map(async ({ step, body, calls }) => ({
      step,
      text: await load(body),
      calls: await Promise.all(
        calls.map(async ({ callId, tool, args, output }) => ({ callId, tool, rawArgs: await load(args), output })),
      ),
    })),
  );
}
