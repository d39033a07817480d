import { failed } from '../domain/failure/failed';
import {
  mustLook,
  outside,
  type StaleTarget,
  wholeWorkspace,
  withConflict,
  withLook,
} from '../domain/failure/stale-targets';
import type { Call } from '../protocol/calls';
import type { AttemptTx, Inserts } from './ledger-port';
import { type Observed, observeError } from './observe';
import type { ReadTool, RunnableTool, WorkspaceTool, WriteTool } from './ports';

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
export function noteLook(tx: AttemptTx, tool: ReadTool | WorkspaceTool, step: number): void {
  if (tool.effect === 'none' ? tool.looks === false : !tool.looks) return;
  const before = tx.attempt.staleTargets;
  const staleTargets = withLook(before, tool.workspace ? 'workspace' : 'outside', step);
  if (staleTargets !== before) tx.update({ staleTargets });
}

/** After a write that was refused for the state that it met. `target`: of what it would have done outside. */
export function noteConflict(tx: AttemptTx, tool: RunnableTool, target = ''): void {
  const named = 'send' in tool || tool.effect !== 'none' ? conflictAt(tool, target) : undefined;
  if (named) tx.update({ staleTargets: withConflict(tx.attempt.staleTargets, named) });
}

const conflictAt = (tool: RunnableTool, target: string): Named =>
  'send' in tool ? outside(outsideTarget(tool, target)) : wholeWorkspace;

/** A tool that names neither what it acts on nor its operation is one target: its next call has another key, and may meet the same. */
const outsideTarget = (tool: WriteTool, target: string) => (tool.target || tool.businessKey ? target : tool.name);

/** The action is over before anything of it runs; the model is told to look. */
export function refuseUntilLook(
  tx: AttemptTx,
  { step, index, try: tryNumber }: Call<'act'>['args'],
  tool: string,
  by: Omit<Inserts['tool_tries'], 'step' | 'index' | 'try' | 'snapshot' | 'sent' | 'closed'>,
): Observed {
  const refusal = failed(
    { class: 'state_conflict', code: 'LOOK_FIRST' },
    `${tool} was not run: what it would change is not as it was expected to be when it was last written to, and nothing was read there since.`,
    'Read what is there now; then, in a step of its own, write what fits it.',
  );
  const closed = { outcome: 'not_run', failure: refusal.failure.code } as const;
  const { snapshot } = tx.attempt;
  tx.insert('tool_tries', { step, index, try: tryNumber, ...by, snapshot, sent: false, closed });
  return observeError(tx, { step, index }, { about: tool, ran: false }, refusal);
}
