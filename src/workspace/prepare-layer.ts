import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import type { Mirror } from './git/mirror';
import type { Host } from './host';
import { commitFiles } from './layer/commit-files';
import { buildLayer, findLayer } from './layer/dependency-layer';
import { runSetup } from './layer/run-setup';
import { setupPlan } from './layer/setup-plan';
import { locked } from './preparing-lock';

/** The layer's folder; undefined where the repository needs none. */
export async function prepareLayer(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  { mirror, base }: { readonly mirror: Mirror; readonly base: string },
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<string | undefined> {
  const files = commitFiles(host.git, mirror.gitDir, base);
  const plan = await setupPlan(spec.setup, base, mirror.source, files);
  if (!plan) return undefined;
  const folder = host.paths.layer(id.tenant, plan.key);
  if (await findLayer(folder)) return folder;

  const sandbox = await host.sandbox();
  await locked(folder, signal, async (onMarked) => {
    if (await findLayer(folder)) return; // another made it meanwhile
    await buildLayer(host.git, folder, { gitDir: mirror.gitDir, base }, plan.env, (checkout) => {
      const fill = (value: string) => value.replaceAll('{layer}', folder).replaceAll('{root}', checkout.tree);
      const env = Object.fromEntries(Object.entries(plan.env).map(([name, value]) => [name, fill(value)]));
      return runSetup({ plan, env, files, folder, checkout, ownEnv: host.env, sandbox, signal, onProgress, onMarked });
    });
  });
  return folder;
}
