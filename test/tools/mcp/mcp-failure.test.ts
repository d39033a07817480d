import { type FailureClass, failureClasses } from '../../../src/domain/failure/failure';
import { failedOf, McpFailure, type McpFailureCode } from '../../../src/tools/mcp/mcp-failure';

/** Each code has a row here, or this does not compile. */
const told: Record<McpFailureCode, FailureClass> = {
  MCP_UNAVAILABLE: 'tool_transient',
  MCP_CALL_LOST: 'tool_transient',
  MCP_TIMEOUT: 'tool_transient',
  MCP_REFUSED: 'unrecoverable',
  MCP_HTTP_ERROR: 'tool_business',
  MCP_NONSENSE: 'tool_business',
  MCP_ERROR: 'tool_business',
  MCP_RESULT_TOO_LARGE: 'tool_business',
  TOOL_CHANGED: 'tool_business',
};

test.each(Object.entries(told) as [McpFailureCode, FailureClass][])('R8.1 %s of an MCP server is %s', (code, kind) => {
  expect(failureClasses).toContain(kind);
  expect(failedOf(new McpFailure(code, 'What went wrong.', true))).toEqual({
    ok: false,
    failure: { class: kind, code },
    error: {
      code,
      message: 'What went wrong.',
      retryable: kind === 'tool_transient',
      suggested_action: expect.stringMatching(/\.$/),
    },
  });
});
