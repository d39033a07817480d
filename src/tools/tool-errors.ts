import type { ToolResult } from '../activities/ports';
import { classifyErrno } from '../domain/failure/errno';
import { errnoOf } from '../domain/failure/errno-of';
import { failed } from '../domain/failure/failed';
import type { Failure } from '../domain/failure/failure';

/** A tool's way to stop with an answer for the model (R8.3). `answering` turns it into a result; nothing else is caught. */
export class ToolError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    readonly suggestedAction: string,
  ) {
    super(message);
    this.name = 'ToolError';
  }
}

/** Runs a tool's work; a ToolError or a failed file operation is its answer, anything else is a bug and passes through. */
export async function answering(work: () => Promise<string>): Promise<ToolResult> {
  try {
    return { ok: true, output: await work() };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.failure, error.message, error.suggestedAction);
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return failed(
      classifyErrno(errno),
      `The file system refused it: ${errno}.`,
      'Look at the path with list_files, then try again.',
    );
  }
}
