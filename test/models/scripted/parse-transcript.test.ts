import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../src/located-yaml/input-error';
import { parseTranscript } from '../../../src/models/scripted/parse-transcript';

function problemsOf(text: string): readonly string[] {
  try {
    parseTranscript('t.yaml', text);
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  throw new Error('the transcript was taken');
}

test.each([
  [
    'an unknown key',
    'steps:\n  1: { text: hi, calls: [{ tool: a, argz: {} }] }\n',
    /^t\.yaml:2:37: steps\.1\.calls\[0\]: .*argz/,
  ],
  ['a wrong type', 'steps:\n  1:\n    text: [no]\n', /^t\.yaml:3:11: steps\.1\.text: .*string/],
  ['a step that is no number', 'steps:\n  one: { text: hi }\n', /^t\.yaml:2:\d+: steps\.one: /],
  ['a broken line', 'steps:\n  1: { text: hi\n', /^t\.yaml:\d+:\d+: not YAML: /],
  [
    'a regular expression that is none',
    'entries:\n  - when: { lastUser: "(" }\n    text: hi\n',
    /^t\.yaml:2:\d+: entries\[0\]\.when\.lastUser: not a regular expression/,
  ],
  [
    'a fault that nobody knows',
    'steps:\n  1: { text: hi, fault: { crash: true } }\n',
    /^t\.yaml:2:\d+: steps\.1\.fault/,
  ],
  [
    'a fault of a wrong size',
    'steps:\n  1: { text: hi, fault: { status: 200 } }\n',
    /^t\.yaml:2:\d+: steps\.1\.fault\.status: .*400/,
  ],
])('%s is refused with line and column', (_what, text, problem) => {
  expect(problemsOf(text)[0]).toMatch(problem);
});

test('every problem is named at once', () => {
  expect(problemsOf('model: 1\nsteps:\n  1: { txt: hi }\n')).toHaveLength(2);
});

test('the transcript of the example is one', () => {
  const path = join(__dirname, '../../../examples/repair/transcript.yaml');
  expect(Object.keys(parseTranscript(path, readFileSync(path, 'utf8')).attempts ?? {})).toEqual(['repair']);
});
