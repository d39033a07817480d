import { troubleOf } from '../../../src/ledger/queries/trouble';
import { troubleWords } from '../../../src/requests/words/trouble-words';

test('R8.6 a tool that stopped an attempt is its trouble, by name, and any tool that answered is none', () => {
  const payload = {
    index: 0,
    tool: 'lookup_order',
    code: 'MCP_REFUSED',
    detail: 'The server refused the call (HTTP 401).',
  };
  const trouble = troubleOf({ type: 'tool_failed', payload });
  expect(trouble).toEqual({ kind: 'tool', what: 'lookup_order', code: 'MCP_REFUSED', detail: payload.detail });
  expect(trouble && troubleWords(trouble)).toBe(
    'lookup_order cannot be used: MCP_REFUSED · The server refused the call (HTTP 401).',
  );
  expect(troubleOf({ type: 'action_finished', payload: { index: 0, tool: 'x', ok: false } })).toBeNull();
});
