import type { FailedResult } from '../../domain/failure/failed';
import { failed } from '../../domain/failure/failed';
import type { FailureClass } from '../../domain/failure/failure';

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

/** The class of each (R8.2), and what whoever reads it may do. */
// biome-ignore format: a table is read by its columns
const codes = {
  MCP_UNAVAILABLE:      { class: 'tool_transient', next: 'Go on without it, or finish with status blocked.' },
  MCP_CALL_LOST:        { class: 'tool_transient', next: 'Go on without it, or finish with status blocked.' },
  MCP_TIMEOUT:          { class: 'tool_transient', next: 'Ask for less at once, or go on without it.' },
  MCP_REFUSED:          { class: 'unrecoverable',  next: 'The operator has to give the server credentials that it takes (env or headers in holdfast.yaml) and to start the worker again.' },
  MCP_HTTP_ERROR:       { class: 'tool_business',  next: 'Correct what you ask for, or go another way.' },
  MCP_NONSENSE:         { class: 'tool_business',  next: 'Go another way; the server does not keep to its protocol.' },
  MCP_ERROR:            { class: 'tool_business',  next: 'Correct the arguments, or go another way.' },
  MCP_RESULT_TOO_LARGE: { class: 'tool_business',  next: 'Ask for less at once.' },
  TOOL_CHANGED:         { class: 'tool_business',  next: 'Go on without this tool, or finish with status blocked.' },
} as const satisfies Record<string, { readonly class: FailureClass; readonly next: string }>;

/** As the model is shown it (R8.3). */
export function failedOf({ code, message }: McpFailure): FailedResult {
  return failed({ class: codes[code].class, code }, message, codes[code].next);
}
