import type { StartedAttempt } from '../../ledger/insert-attempt';
import { markWorkflowStarted } from '../../ledger/start-attempt';
import { workflowId } from '../../protocol/ids';
import type { Session } from '../session';

export interface StartedRun {
  readonly workflowId: string;
  /** Of the first run; undefined where the workflow was started before. */
  readonly runId?: string;
}

/** Starts the workflow of an attempt whose rows are there; what fails here is finished by a worker. */
export async function startRun(
  session: Session,
  { ref, snapshot, workflowStarted }: StartedAttempt,
): Promise<StartedRun> {
  if (workflowStarted) return { workflowId: workflowId(ref.tenant, ref.id) };
  const {
    startAttemptWorkflow,
  }: typeof import('../../temporal/start-workflow') = require('../../temporal/start-workflow');
  const started = await session.temporal((client) => startAttemptWorkflow(client, ref, snapshot));
  await markWorkflowStarted(session.pool, ref);
  return started;
}

/** Whether the search attributes of Holdfast are registered where attempts start. */
export function searchAttributesHere(session: Session): Promise<boolean> {
  const {
    hasSearchAttributes,
  }: typeof import('../../temporal/search-attributes') = require('../../temporal/search-attributes');
  return session.temporal(hasSearchAttributes);
}
