import type { ModelMessage } from '../../../src/domain/context/messages';
import { buildView } from '../../../src/domain/context/view';
import { contract, items, projection } from './sample';

/** The whole prompt of a step after a compaction, as one text for a person to review. */
test('R13.1 R13.2 the whole prompt: contract, opening, what was said, the projection, steps word for word, state', () => {
  const view = buildView({
    contract,
    tools: [{ name: 'read_file', description: 'Reads a file.', schema: { type: 'object' } }],
    inputs: [
      { ordinal: 1, afterStep: 0, kind: 'message', text: 'Please repair sum.' },
      { ordinal: 2, afterStep: 30, kind: 'message', text: 'Never touch config.' },
      { ordinal: 3, afterStep: 31, kind: 'feedback', text: 'This is not said again.' },
      { ordinal: 4, afterStep: 61, kind: 'message', text: 'Hurry.' },
    ],
    steps: [
      {
        step: 61,
        text: 'Reading it again.',
        calls: [
          {
            callId: 'c61',
            tool: 'read_file',
            rawArgs: '{"path":"src/sum.js"}',
            output: 'export const sum = (a) => a;',
          },
        ],
      },
    ],
    hiddenSteps: 60,
    projection,
    blocks: items.filter(({ kind }) => kind === 'block'),
    taskState: { steps: [{ id: 'fix', title: 'Correct it', status: 'doing' }], note: 'Second argument.' },
    environment: { changedFiles: ['src/sum.js'], lastTest: { command: 'npm test', passed: false, failing: 1 } },
  });
  const lines = view.messages.map(asText);
  expect(['── system', view.system, ...lines].join('\n')).toMatchSnapshot();
  expect(view.tools.map(({ name }) => name)).toEqual(['read_file']);
});

function asText(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `── user\n${message.text}`;
    case 'assistant': {
      const calls = message.calls.map(({ callId, tool, rawArgs }) => `${callId} ${tool} ${rawArgs}`);
      return `── assistant\n${[message.text, ...calls].join('\n')}`;
    }
    case 'tool':
      return `── tool ${message.callId}\n${message.output}`;
  }
}
