import { collectItems } from '../../domain/context/collect-items';
import type { ItemChange, ItemPlace } from '../../domain/context/item-rows';
import { inheritedItems } from '../../domain/context/items/inherited-items';
import type { ProtectedItem } from '../../domain/context/protected-item';
import { readTaskState } from '../../domain/context/task-state';
import { loadBody } from '../bodies';
import type { RecordDeps } from '../deps';
import type { ItemRecords, ViewRows } from '../ledger-port';
import type { WorkspaceTool } from '../ports';
import { changedFiles } from './changed-files';
import { loadProjection } from './load-projection';

export interface Protected {
  readonly items: readonly ProtectedItem[];
  readonly steps: ItemRecords['steps'];
}

/** The protected items of an attempt for a view that hides the steps up to `uptoStep`, made of the record alone (R13.2). */
export async function protectedItems(
  deps: RecordDeps,
  { attempt, taskState }: Pick<ViewRows, 'attempt' | 'taskState'>,
  uptoStep: number,
): Promise<Protected> {
  const { tenant } = attempt.ref;
  const { writes, inherited, steps, ...rows } = await deps.ledger.itemRows(attempt.ref, uptoStep);
  const plan = readTaskState(taskState);
  const items = collectItems({
    ...rows,
    contract: await deps.ledger.contract(attempt.ref, attempt.contractVersion),
    uptoStep,
    ...(plan && { taskState: plan }),
    changes: await changes(deps, attempt, writes),
    ...(inherited ? { inherited: inheritedItems(await loadProjection(deps, tenant, inherited)) } : {}),
  });
  return { items, steps };
}

async function changes(
  deps: RecordDeps,
  attempt: ViewRows['attempt'],
  writes: ItemRecords['writes'],
): Promise<ItemChange[]> {
  const changed = await changedFiles(deps, attempt);
  if (changed.length === 0) return [];
  const by = new Map<string, ItemPlace>();
  for (const { step, index, tool, args } of writes) {
    const paths = pathsOf(deps, tool, await loadBody(deps.artifacts, attempt.ref.tenant, args));
    for (const path of paths) by.set(path, { step, index });
  }
  return changed.map(({ path, status }) => {
    const action = by.get(path);
    return { path, status, ...(action && { action }) };
  });
}

/** What the call says that it writes; a shell line says nothing. */
function pathsOf(deps: RecordDeps, tool: string, rawArgs: string): readonly string[] {
  const definition = deps.tools.get(tool);
  if (definition?.effect !== 'idempotent' || definition.workspace !== true) return [];
  const { enforces } = definition as WorkspaceTool;
  try {
    return enforces?.paths?.(JSON.parse(rawArgs) as never) ?? [];
  } catch {
    return []; // it succeeded under another version of the tool
  }
}
