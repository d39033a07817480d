import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { Deployment } from '../../src/config/deployment';
import { until } from './gate';

const { ROUTING_CONFIG_UPDATE_STATE_COMPLETED: routed } = temporal.api.enums.v1.RoutingConfigUpdateState;

/** A server says within a second that every queue knows; under load it was seen never to say so, though every queue knew, ms. */
const routedMaxMs = 30_000;

/**
 * Makes a version the one that takes new runs, as a deploy does with `temporal worker deployment set-current-version`.
 * Its worker must poll, or be about to. Resolves when every queue knows, as far as the server says so.
 */
export async function takeNewRuns(client: Client, { deploymentName, buildId }: Deployment): Promise<void> {
  const { namespace } = client.options;
  const identity = 'test';
  await until(async () => {
    try {
      await client.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity });
      return true;
    } catch {
      return false; // the server has not heard of it yet
    }
  }, `${buildId} takes new runs`);
  const setAt = Date.now();
  await until(async () => {
    const { workerDeploymentInfo } = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    const { routingConfig, routingConfigUpdateState } = workerDeploymentInfo ?? {};
    const told = routingConfigUpdateState === routed || Date.now() - setAt > routedMaxMs;
    return routingConfig?.currentDeploymentVersion?.buildId === buildId && told;
  }, `every queue knows that ${buildId} takes new runs`);
}
