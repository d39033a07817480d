import { approvalItems } from '../../domain/context/items/approval-items';
import { effectItems } from '../../domain/context/items/effect-items';
import { readTaskState } from '../../domain/context/task-state';
import type { ViewFacts } from '../../domain/context/view-facts';
import type { ActivityDeps } from '../deps';
import type { ViewRows } from '../ledger-port';
import { changedFiles } from './changed-files';
import { lastTest } from './last-test';
import { loadProjection } from './load-projection';
import { loadSteps } from './load-steps';

/** All that the view of a step is made of: the newest projection, and every step that it leaves to be shown. */
export async function viewFacts(deps: ActivityDeps, rows: ViewRows, step: number): Promise<ViewFacts> {
  const { attempt, projection } = rows;
  const { ref } = attempt;
  const contract = await deps.ledger.contract(ref, attempt.contractVersion);
  const tools = deps.tools
    .offered(contract.tools, contract.forbidden)
    .map(({ name, description, schema }) => ({ name, description, schema }));
  const taskState = readTaskState(rows.taskState);
  const waiting = [...effectItems(rows.waiting.effects), ...approvalItems(rows.waiting.approvals)];
  return {
    contract,
    tools,
    inputs: rows.inputs,
    steps: await loadSteps(deps, ref.tenant, stepsBefore(rows, step)),
    hiddenSteps: projection?.uptoStep ?? 0,
    ...(projection ? { projection: await loadProjection(deps, ref.tenant, projection.body) } : {}),
    blocks: waiting.filter(({ kind }) => kind === 'block'),
    ...(taskState && { taskState }),
    environment: {
      changedFiles: (await changedFiles(deps, attempt)).map(({ path }) => path),
      ...(await lastTest(deps, ref.tenant, rows.lastTest)),
    },
  };
}

/** A repeated call finds its own proposal in the ledger, which has no observations yet. */
const stepsBefore = ({ steps }: ViewRows, step: number) => steps.filter((row) => row.step < step);
