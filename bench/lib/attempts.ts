import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Limits } from '../../src/domain/budget/account';
import type { Contract } from '../../src/domain/contract/contract';
import { markWorkflowStarted, startAttempt } from '../../src/ledger/start-attempt';
import type { AttemptResult, StartSnapshot } from '../../src/protocol/attempt';
import { type AttemptRef, workflowId } from '../../src/protocol/ids';
import { startAttemptWorkflow } from '../../src/temporal/start-workflow';
import type { Lane } from './lane';
import { modelConfig } from './model-config';

/** A benchmark asks what a step costs, not what it may cost. */
const plenty = 1_000_000_000;
const limits: Limits = {
  maxTurns: plenty,
  maxToolCalls: plenty,
  maxSameToolErrors: plenty,
  maxRuntimeMs: plenty,
  maxTokens: plenty,
  maxCostMicroUsd: plenty,
  maxRepairs: 3,
};
export const putContract: Contract = {
  kind: 'dialog',
  goal: 'Store every item.',
  constraints: [],
  forbidden: [],
  tools: ['put'],
  acceptance: [],
};
/** As `holdfast start` has it. */
export const stepsPerRun = 100;

/** Starts the attempt of a task, as `holdfast start` does. */
export async function beginAttempt(
  ledger: Pool,
  client: Client,
  task: string,
  lane: Lane,
  contract: Contract = putContract,
  change: Partial<StartSnapshot> = {},
): Promise<AttemptRef> {
  const { timeoutMs } = modelConfig('', true);
  const snapshot: StartSnapshot = {
    kind: 'dialog',
    hasWorkspace: false,
    criteria: [],
    models: [{ name: 'scripted', quick: lane === 'local', timeoutMs }],
    flow: 1,
    stepsPerRun,
    searchAttributes: true,
    ...change,
  };
  const outcome = await startAttempt(ledger, {
    tenant: 'default',
    task,
    contract,
    limits,
    input: 'Please begin.',
    versions: {},
    snapshot,
  });
  const { ref } = outcome.attempt;
  await startAttemptWorkflow(client, ref, snapshot);
  await markWorkflowStarted(ledger, ref);
  return ref;
}

/** Resolves when the attempt has ended; throws where it did not complete. */
export async function endOf(client: Client, ref: AttemptRef): Promise<void> {
  const result: AttemptResult = await client.workflow.getHandle(workflowId(ref.tenant, ref.id)).result();
  if (result.state !== 'COMPLETED') throw new Error(`${ref.id} ended as ${result.state} (${result.reason})`);
}
