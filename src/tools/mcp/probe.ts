import type { ProbeResult, WriteContext } from '../../activities/ports';
import { fillJson } from '../../domain/template/fill-template';
import { type Answer, answerOf, errorOf, idOf } from './answer';
import type { CallTemplate } from './mcp-config';
import { McpFailure } from './mcp-failure';
import type { McpServer } from './mcp-server';
import { recordOf } from './record';
import { cutOutput } from './result-size';

/** Asks the server what became of a write (E6). A look that fails has seen nothing. */
export async function probe(
  server: McpServer,
  { tool, args: template }: CallTemplate,
  timeoutMs: number,
  key: string,
  args: Readonly<Record<string, unknown>>,
  { signal }: WriteContext,
): Promise<ProbeResult> {
  try {
    const filled = recordOf(fillJson(template, { ...args, key }));
    return probeResult(answerOf(await server.call(tool, filled, { signal, timeoutMs, wait: true })));
  } catch (error) {
    if (error instanceof McpFailure) return { kind: 'unknown' };
    throw error;
  }
}

/**
 * What an answer says: by its `status`, which is one of the four words; else by `error.committed`, where `false` is a look
 * that found nothing. Anything else says nothing.
 */
export function probeResult(answer: Answer): ProbeResult {
  const { status } = answer.fields;
  const { committed } = errorOf(answer);
  if (!answer.isError && status === 'not_committed_final') return { kind: 'not_committed_final' };
  if (!answer.isError && status === 'committed') return found(answer);
  if (committed === true) return found(answer);
  if (committed === false || (!answer.isError && status === 'not_found')) return { kind: 'not_found' };
  return { kind: 'unknown' };
}

function found(answer: Answer): ProbeResult {
  const downstreamId = idOf(answer);
  return { kind: 'committed', output: cutOutput(answer.output), ...(downstreamId !== undefined && { downstreamId }) };
}
