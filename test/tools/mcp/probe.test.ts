import { answerOf } from '../../../src/tools/mcp/answer';
import { probeResult } from '../../../src/tools/mcp/probe';

const look = (isError: boolean, fields: Record<string, unknown>) =>
  probeResult(answerOf({ content: [], structuredContent: fields, isError }));

test.each(['not_committed_final', 'not_found', 'committed'])(
  'E6 a look that failed has seen nothing, though its answer says %s',
  (status) => {
    expect(look(false, { status })).toMatchObject({ kind: status });
    expect(look(true, { status })).toEqual({ kind: 'unknown' });
  },
);

test('E6 an error that says whether the write was done is believed, and is never final', () => {
  expect(look(true, { status: 'not_committed_final', error: { committed: false } })).toEqual({ kind: 'not_found' });
  expect(look(true, { error: { committed: true } })).toMatchObject({ kind: 'committed' });
});
