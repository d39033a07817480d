import type { ProcessResult, ToolResult } from '../activities/ports';
import { classifyExit } from '../domain/failure/exit';
import { failed } from '../domain/failure/failed';
import { defineTool } from './define-tool';

/** A test suite of a usual repository ends well within it, ms. */
const defaultTimeoutMs = 120_000;
/** More is asked for by name, and is still the limit of one action, ms. */
const maxTimeoutMs = 600_000;
/** Of the output of a command that did not end by itself, characters; the rest of it says little. */
const tailShown = 4_000;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell line in the workspace, without network, in a sandbox. Gives the exit code, and standard output and error in order. Nothing it starts outlives it. timeoutMs: at most 600000, default 120000.',
  schema: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1 },
      timeoutMs: { type: 'integer', minimum: 1, maximum: maxTimeoutMs },
    },
    required: ['command'],
    additionalProperties: false,
  },
  effect: 'idempotent',
  workspace: true,
  looks: true,
  incidental: ['timeoutMs'],
  quick: false,
  timeoutMs: maxTimeoutMs,
  run: async ({ command, timeoutMs = defaultTimeoutMs }, { exec }) => {
    if (!exec) throw new Error('run_command was called without a sandbox');
    return answer(await exec(command, { timeoutMs }), timeoutMs);
  },
});

/** A command that ended by itself has done what it was run for, whatever its code: failing tests are an observation. */
function answer(result: ProcessResult, timeoutMs: number): ToolResult {
  if (result.end === 'exited') return { ok: true, output: `exit code ${result.exitCode}\n${result.output}` };
  const failure = classifyExit(result) ?? { class: 'tool_business', code: 'COMMAND_FAILED' };
  const tail = `Its output ends with:\n${result.output.slice(-tailShown)}`;
  switch (result.end) {
    case 'timed_out':
      return failed(
        failure,
        `The command was ended after ${timeoutMs} ms. ${tail}`,
        'Run less of it, or give a larger timeoutMs.',
      );
    case 'signalled':
      return failed(
        failure,
        `The command was ended by a signal. ${tail}`,
        'Run less of it at once; it may have used too much memory or output.',
      );
    case 'not_started':
      return failed(
        failure,
        `The command could not start. ${tail}`,
        'Go on without it, or finish with status blocked.',
      );
  }
}
