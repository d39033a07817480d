import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { mainTaskQueue, workflowId } from '../protocol/ids';
import type { WorkerVersions } from '../protocol/worker-versions';

/** Temporal's own search attribute; its value is `deployment:build`. */
const versionAttribute = 'TemporalWorkerDeploymentVersion';
/** A long poll takes a minute, and is noted where it begins: whoever has not polled for so long has gone, ms. */
const polledWithinMs = 90_000;
/** Held attempts that are looked through: a finding names a few of them, and more tell nothing new. */
const heldMax = 1_000;
/** gRPC's INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED and UNIMPLEMENTED: a service that does not tell has no versions. */
const untold = [3, 5, 7, 12];

/** Rejects where Temporal cannot be reached. */
export async function workerVersions(client: Client, taskQueue: string = mainTaskQueue): Promise<WorkerVersions> {
  return { polled: await polledVersions(client, taskQueue), held: await heldAttempts(client, taskQueue) };
}

async function polledVersions(client: Client, taskQueue: string): Promise<WorkerVersions['polled']> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  const since = Date.now() - polledWithinMs;
  const versions = new Map<string, string>();
  for (const { deploymentOptions, lastAccessTime } of pollers ?? []) {
    const { deploymentName, buildId } = deploymentOptions ?? {};
    if (deploymentName && buildId && Number(lastAccessTime?.seconds ?? 0) * 1_000 >= since)
      versions.set(`${deploymentName}.${buildId}`, deploymentName);
  }
  return await Promise.all(
    [...versions].map(async ([version, deployment]) => ({
      version,
      current: await currentVersion(client, deployment),
    })),
  );
}

/** A deployment whose first worker has just come is not registered yet, and nothing of it takes new attempts. */
async function currentVersion(client: Client, deploymentName: string): Promise<string | undefined> {
  const { namespace } = client.options;
  const told = await toldOrNot(client.workflowService.describeWorkerDeployment({ namespace, deploymentName }));
  const current = told?.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion;
  return current?.buildId ? `${deploymentName}.${current.buildId}` : undefined;
}

async function heldAttempts(client: Client, taskQueue: string): Promise<WorkerVersions['held']> {
  const query = `WorkflowType = 'attempt' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}' AND ${versionAttribute} IS NOT NULL`;
  const { namespace } = client.options;
  const told = await toldOrNot(client.workflowService.listWorkflowExecutions({ namespace, query, pageSize: heldMax }));
  const held = new Map<string, string[]>();
  for (const { execution, searchAttributes } of told?.executions ?? []) {
    const payload = searchAttributes?.indexedFields?.[versionAttribute];
    const version = payload && String(defaultPayloadConverter.fromPayload(payload)).replace(':', '.');
    if (version) held.set(version, [...(held.get(version) ?? []), attemptOf(execution?.workflowId ?? '')]);
  }
  return [...held].map(([version, attempts]) => ({ version, attempts }));
}

async function toldOrNot<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isGrpcServiceError(error) && untold.includes(error.code)) return undefined;
    throw error;
  }
}

/** The id as people type it, with the tenant before it where it is not the default one. */
function attemptOf(workflow: string): string {
  const prefix = workflowId('', '').slice(0, -1);
  const [tenant = '', ...attempt] = workflow.slice(prefix.length).split('/');
  return tenant === 'default' ? attempt.join('/') : [tenant, ...attempt].join('/');
}
