import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '../domain/failure/failed';
import type { FailureClass } from '../domain/failure/failure';
import { classifyThrown } from '../domain/failure/thrown';
import { mergeChild } from './children/merge-child';
import type { ActivityDeps } from './deps';
import type { AttemptRow, BundleRow } from './ledger-port';
import {
  ArtifactError,
  type MergeChoices,
  type ReadTool,
  type RunnableTool,
  type ToolResult,
  WorkspaceError,
  type WorkspaceTool,
} from './ports';
import { recall } from './recall';
import { bringHere, keepSnapshot } from './workspace-bundles';

export interface ToolOutcome {
  readonly result: ToolResult;
  /** Snapshot after a write to the workspace. */
  readonly snapshot?: string;
  /** It in the object store, where it is new there. */
  readonly bundle?: BundleRow;
}

/** What one try is held to beside the tool's own limits. */
export interface RunLimits {
  readonly timeLimitMs?: number;
  readonly readOnlyRole?: true;
}

/**
 * Between asking a tool to stop and going on without it: more than the end of its processes takes (2 s), and less than
 * what the workflow adds to the tool's own limit before it takes the whole call for lost (90 s).
 */
const deafToolMs = 5_000;

/** Thrown where the tool did not end in time. */
export class ToolTimeout extends Error {}

/**
 * Runs one try of a tool in the place that it needs, under its time limit. What the tool or the workspace says no to is
 * a result; it rejects only with the signal's reason.
 */
export async function runTool(
  deps: ActivityDeps,
  attempt: AttemptRow,
  tool: ReadTool | WorkspaceTool,
  args: unknown,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    return await inTime(tool, limits, signal, (abort) => inPlace(deps, attempt, tool, args, limits, abort));
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolTimeout) return { result: timedOut(tool, limits) };
    return { result: thrown(tool, error) };
  }
}

/** What a throw of a tool means where nothing was sent. */
export function thrown(tool: RunnableTool, error: unknown): Extract<ToolResult, { ok: false }> {
  if (error instanceof WorkspaceError || error instanceof ArtifactError)
    return failed(error.failure, error.message, error.suggestedAction);
  const failure = classifyThrown(error);
  const words = `${tool.name} failed: ${wordsOf(error)}`;
  if (failure) return failed(failure, `${words} (${failure.code})`, nextSteps[failure.class] ?? anotherWay);
  // A tool that throws without a reason that can be told from facts has a fault of its own.
  return failed({ class: 'tool_business', code: 'TOOL_CRASHED' }, words, anotherWay);
}

const anotherWay = 'Try another way.';
/** What whoever reads of it may do, where that follows from the class. */
const nextSteps: Partial<Record<FailureClass, string>> = {
  tool_transient: 'Try again later, or go on without it.',
  tool_argument: 'Correct the arguments and call it again.',
  state_conflict: 'Look at what is there now, then decide anew.',
  unrecoverable: 'The operator has to look at the tool, what it runs on and its credentials.',
};

/** By shape, for an error may come from another realm. */
function wordsOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

export function timedOut(tool: RunnableTool, limits: RunLimits): Extract<ToolResult, { ok: false }> {
  return failed(
    { class: tool.effect === 'none' ? 'tool_transient' : 'tool_business', code: 'TOOL_TIMEOUT' },
    `${tool.name} did not end within ${timeLimitOf(tool, limits)} ms and was stopped.`,
    'Ask for less at once.',
  );
}

const timeLimitOf = (tool: RunnableTool, { timeLimitMs }: RunLimits) =>
  Math.min(tool.timeoutMs, timeLimitMs ?? tool.timeoutMs);

/** Rejects with ToolTimeout where the work is not done in time, and with the signal's reason where that is aborted. */
export async function inTime<T>(
  tool: RunnableTool,
  limits: RunLimits,
  signal: AbortSignal | undefined,
  work: (abort: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeLimitOf(tool, limits));
  const abort = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    return await orGivenUp(work(abort), abort);
  } catch (error) {
    if (limit.aborted && !signal?.aborted) throw new ToolTimeout();
    throw error;
  }
}

/** Rejects with the signal's reason where the work does not end within `deafToolMs` of being asked to. */
async function orGivenUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const deaf = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: ended.signal });
    await sleep(deafToolMs, undefined, { signal: ended.signal });
    throw signal.reason;
  };
  try {
    return await Promise.race([work, deaf()]);
  } finally {
    ended.abort();
  }
}

async function inPlace(
  deps: ActivityDeps,
  attempt: AttemptRow,
  tool: ReadTool | WorkspaceTool,
  args: unknown,
  { readOnlyRole }: RunLimits,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { tenant, id } = attempt.ref;
  const base = {
    signal,
    artifacts: deps.artifacts,
    tenant,
    recall: (pointer: string) => recall(deps, attempt.ref, pointer),
    ...(deps.databases && { databases: deps.databases }),
    ...(readOnlyRole && { readOnlyRole }),
  };
  if (!tool.workspace) return { result: await tool.run(args as never, base) };

  const workspace = { tenant, attempt: id };
  const inRoot = (root: string) =>
    tool.run(args as never, {
      ...base,
      root,
      ...(tool.effect !== 'none' && {
        mergeChild: (child: string, choices: MergeChoices) => mergeChild(deps, attempt, child, choices, signal),
      }),
      exec: (line, options) => deps.workspaces.exec(workspace, line, { ...options, signal }),
    });
  if (attempt.snapshot === null) throw new Error(`Attempt ${id} has no snapshot to work on.`);
  await bringHere(deps, attempt, signal);
  if (tool.effect === 'none') {
    return { result: await inRoot(await deps.workspaces.root(workspace, attempt.snapshot, signal)) };
  }
  const { value, snapshot } = await deps.workspaces.exclusive(workspace, attempt.snapshot, signal, inRoot);
  const bundle = await keepSnapshot(deps, attempt, snapshot, signal);
  return { result: value, snapshot, ...(bundle && { bundle }) };
}
