import type { Versions } from '../domain/checkpoint/versions';
import type { Contract } from '../domain/contract/contract';
import type { StartSnapshot } from '../protocol/attempt';
import type { ModelPort, PolicyPort, ToolDefinition, ToolPort, VersionsPort } from './ports';

export interface VersionDeps {
  readonly models: ModelPort;
  readonly tools: ToolPort;
  readonly policy: PolicyPort;
  readonly versions: VersionsPort;
}

/** Versions of what an attempt would go on with on this worker (R12.1). Commands' environment counts where it runs any. */
export function versionsHere(deps: VersionDeps, contract: Contract, start: StartSnapshot): Versions {
  const models = start.models.flatMap(({ name }) => {
    const profile = deps.models.profile(name);
    return profile ? [[name, profile.version] as const] : [];
  });
  const tools = deps.tools.offered(contract.tools, contract.forbidden).filter(isVersioned);
  return {
    code: deps.versions.code,
    policy: deps.policy.version,
    environment: start.hasWorkspace ? deps.versions.environment : null,
    models: Object.fromEntries(models),
    tools: Object.fromEntries(tools.map(({ name, version }) => [name, version])),
    ...(deps.versions.skills && { skills: deps.versions.skills }),
  };
}

/** What `read_skill` reads is noted skill by skill. */
const isVersioned = ({ name, effect }: ToolDefinition) => effect !== 'control' && name !== 'read_skill';
