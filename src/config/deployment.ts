import { InputError } from '../located-yaml/input-error';

/** Which build of which deployment a worker is, by Temporal's names for both. */
export interface Deployment {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** Temporal writes a version as `<deployment>.<build>` and `<deployment>:<build>`, so a name has neither sign. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** A release, a commit or an image tag; it is quoted in Temporal's queries, so it needs no quoting. */
const buildPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Undefined where neither variable is set: the worker then has no version, and takes whatever its queue holds. */
export function deploymentOf(env: Readonly<Record<string, string | undefined>>): Deployment | undefined {
  const deploymentName = env['HOLDFAST_DEPLOYMENT'] || undefined;
  const buildId = env['HOLDFAST_BUILD_ID'] || undefined;
  if (deploymentName === undefined && buildId === undefined) return undefined;
  if (deploymentName === undefined || buildId === undefined) {
    const [set, missing] =
      buildId === undefined
        ? ['HOLDFAST_DEPLOYMENT', 'HOLDFAST_BUILD_ID']
        : ['HOLDFAST_BUILD_ID', 'HOLDFAST_DEPLOYMENT'];
    throw new InputError([{ message: `${set} is set and ${missing} is not; a version of a worker is both` }]);
  }
  if (!namePattern.test(deploymentName))
    throw new InputError([{ message: `HOLDFAST_DEPLOYMENT is "${deploymentName}"; it must match ${namePattern}` }]);
  if (!buildPattern.test(buildId))
    throw new InputError([{ message: `HOLDFAST_BUILD_ID is "${buildId}"; it must match ${buildPattern}` }]);
  return { deploymentName, buildId };
}
