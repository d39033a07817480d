import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '../domain/failure/failed';
import type { ActivityDeps } from './deps';
import type { AttemptRow } from './ledger-port';
import { ArtifactError, type ToolDefinition, type ToolResult, WorkspaceError } from './ports';

type RunnableTool = Exclude<ToolDefinition, { effect: 'control' }>;

export interface ToolOutcome {
  readonly result: ToolResult;
  /** Snapshot after a write to the workspace. */
  readonly snapshot?: string;
}

/**
 * Between asking a tool to stop and going on without it: more than the end of its processes takes (2 s), and less than
 * what the workflow adds to the tool's own limit before it takes the whole call for lost (90 s).
 */
const deafToolMs = 5_000;

/**
 * Runs one try of a tool in the place that it needs, under its time limit. What the tool or the workspace says no to is
 * a result; it rejects only with the signal's reason.
 */
export async function runTool(
  deps: ActivityDeps,
  attempt: AttemptRow,
  tool: RunnableTool,
  args: unknown,
  key: string,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const limit = AbortSignal.timeout(tool.timeoutMs);
  const abort = AbortSignal.any([signal, limit]);
  try {
    return await orGivenUp(inPlace(deps, attempt, tool, args, key, abort), abort);
  } catch (error) {
    if (signal.aborted) throw error;
    if (limit.aborted) return { result: timedOut(tool) };
    if (error instanceof WorkspaceError || error instanceof ArtifactError) return { result: refusedBy(error) };
    return { result: crashed(tool, error) };
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
  tool: RunnableTool,
  args: unknown,
  key: string,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { tenant, id } = attempt.ref;
  const base = { signal, artifacts: deps.artifacts, tenant, idempotencyKey: key };
  if (!tool.workspace) return { result: await tool.run(args as never, base) };

  const workspace = { tenant, attempt: id };
  const inRoot = (root: string) =>
    tool.run(args as never, {
      ...base,
      root,
      exec: (line, options) => deps.workspaces.exec(workspace, line, { ...options, signal }),
    });
  if (attempt.snapshot === null) throw new Error(`Attempt ${id} has no snapshot to work on.`);
  if (tool.effect === 'none') {
    return { result: await inRoot(await deps.workspaces.root(workspace, attempt.snapshot, signal)) };
  }
  const { value, snapshot } = await deps.workspaces.exclusive(workspace, attempt.snapshot, signal, inRoot);
  return { result: value, snapshot };
}

function timedOut(tool: RunnableTool): ToolResult {
  return failed(
    { class: tool.effect === 'none' ? 'tool_transient' : 'tool_business', code: 'TOOL_TIMEOUT' },
    `${tool.name} did not end within ${tool.timeoutMs} ms and was stopped.`,
    'Ask for less at once.',
  );
}

function refusedBy(error: WorkspaceError | ArtifactError): ToolResult {
  return failed(error.failure, error.message, error.suggestedAction);
}

/** A tool that throws has a fault of its own; the model may go another way. */
function crashed(tool: RunnableTool, error: unknown): ToolResult {
  const cause = error instanceof Error ? error.message : String(error);
  return failed({ class: 'tool_business', code: 'TOOL_CRASHED' }, `${tool.name} failed: ${cause}`, 'Try another way.');
}
