import type { FailedResult } from '../../domain/failure/failed';
import { failed } from '../../domain/failure/failed';

/** What went wrong between this worker and an MCP server, and whether the call can have reached it. */
export class McpFailure extends Error {
  constructor(
    readonly code: McpFailureCode,
    message: string,
    /** `false`: it is certain, by what this side alone knows, that the server was not asked. */
    readonly sent: boolean,
  ) {
    super(message);
    this.name = 'McpFailure';
  }
}

export type McpFailureCode = keyof typeof codes;

/** `passes`: the same call may succeed a little later by itself. `next`: what the model may do. */
const codes = {
  MCP_UNAVAILABLE: { passes: true, next: 'Go on without it, or finish with status blocked.' },
  MCP_CALL_LOST: { passes: true, next: 'Go on without it, or finish with status blocked.' },
  MCP_TIMEOUT: { passes: true, next: 'Ask for less at once, or go on without it.' },
  MCP_REFUSED: { passes: false, next: 'Go another way; the operator has to look at the server and its settings.' },
  MCP_NONSENSE: { passes: false, next: 'Go another way; the server does not keep to its protocol.' },
  MCP_ERROR: { passes: false, next: 'Correct the arguments, or go another way.' },
  MCP_RESULT_TOO_LARGE: { passes: false, next: 'Ask for less at once.' },
  TOOL_CHANGED: { passes: false, next: 'Go on without this tool, or finish with status blocked.' },
} as const;

/** As the model is shown it (R8.3). */
export function failedOf({ code, message }: McpFailure): FailedResult {
  const { passes, next } = codes[code];
  return failed({ class: passes ? 'tool_transient' : 'tool_business', code }, message, next);
}
