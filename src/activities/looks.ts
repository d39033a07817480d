import { failed } from '../domain/failure/failed';
import {
  type FreedBy,
  type Look,
  mustLook,
  outside,
  type StaleTarget,
  wholeWorkspace,
  withConflict,
  withLook,
} from '../domain/failure/stale-targets';
import type { Call } from '../protocol/calls';
import type { AttemptTx } from './ledger-port';
import { type Observed, observeError } from './observe';
import type { ReadTool, RunnableTool, ToolPort, WorkspaceTool, WriteTool } from './ports';
import { insertUnrunTry, type UnrunTry } from './unrun-try';

/**
 * R8.6 in the ledger: a write that met another state than it was made for makes its target stale, a look that succeeded
 * frees it, and until then no write goes there.
 */
export type Named = Pick<StaleTarget, 'place' | 'target'>;

/** What a call would have to have looked at; undefined for one that changes nothing, or that looks by itself. */
export function lookNeeded(tool: RunnableTool, target: string): Named | undefined {
  if ('send' in tool) return outside(outsideTarget(tool, target));
  return tool.effect === 'none' || tool.looks ? undefined : wholeWorkspace;
}

export const isStale = (tx: AttemptTx, named: Named | undefined, step: number): boolean =>
  named !== undefined && mustLook(tx.attempt.staleTargets, named, step);

/** After a run that succeeded. */
export function noteLook(tx: AttemptTx, tool: ReadTool | WorkspaceTool, args: unknown, step: number): void {
  const look = lookOf(tool, args);
  if (!look) return;
  const before = tx.attempt.staleTargets;
  const staleTargets = withLook(before, look, step);
  if (staleTargets !== before) tx.update({ staleTargets });
}

/** Undefined for what shows no state of the world, and where a tool cannot say from these arguments what it showed. */
function lookOf(tool: ReadTool | WorkspaceTool, args: unknown): Look | undefined {
  if (tool.effect === 'none' ? tool.looks === false : !tool.looks) return undefined;
  if (tool.workspace) return { place: 'workspace' };
  if (!tool.target) return { place: 'outside' };
  const target = targetOf(tool, args);
  return target === undefined ? undefined : { place: 'outside', target };
}

/** After a change of the worktree that was refused for the state that it met. */
export function noteConflict(tx: AttemptTx, tool: ReadTool | WorkspaceTool): void {
  if (tool.effect !== 'none') tx.update({ staleTargets: withConflict(tx.attempt.staleTargets, wholeWorkspace) });
}

/** After a write that was refused for the state that it met. `target`: of what it would have done. */
export async function noteOutsideConflict(
  tools: ToolPort,
  tx: AttemptTx,
  tool: WriteTool,
  call: { readonly target: string; readonly args: unknown },
): Promise<void> {
  const named = outside(outsideTarget(tool, call.target));
  const freedBy = freeing(await readsOf(tools, tx), call);
  tx.update({ staleTargets: withConflict(tx.attempt.staleTargets, named, freedBy) });
}

/** Reads of the outside that the attempt may make. */
async function readsOf(tools: ToolPort, tx: AttemptTx): Promise<readonly ReadTool[]> {
  const contract = await tx.contract();
  return tools
    .offered(contract.tools, contract.forbidden)
    .filter((tool) => tool.effect === 'none')
    .filter((read) => !read.workspace && read.looks !== false);
}

/** A read names the target where it makes the same of the arguments that the write was called with. */
function freeing(
  reads: readonly ReadTool[],
  { target, args }: { readonly target: string; readonly args: unknown },
): FreedBy | undefined {
  if (reads.some((read) => targetOf(read, args) === target)) return 'name';
  return reads.some((read) => !read.target) ? undefined : 'any';
}

function targetOf(read: ReadTool, args: unknown): string | undefined {
  try {
    return read.target?.(args as never);
  } catch {
    return undefined;
  }
}

/** A tool that names neither what it acts on nor its operation is one target: its next call has another key, and may meet the same. */
const outsideTarget = (tool: WriteTool, target: string) => (tool.target || tool.businessKey ? target : tool.name);

/** The action is over before anything of it runs; the model is told to look. */
export function refuseUntilLook(tx: AttemptTx, action: Call<'act'>['args'], tool: string, by: UnrunTry): Observed {
  const refusal = failed(
    { class: 'state_conflict', code: 'LOOK_FIRST' },
    `${tool} was not run: what it would change is not as it was expected to be when it was last written to, and nothing was read there since.`,
    'Read what is there now; then, in a step of its own, write what fits it.',
  );
  insertUnrunTry(tx, action, by, refusal.failure.code);
  return observeError(tx, action, { about: tool, ran: false }, refusal);
}
