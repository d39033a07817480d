import fc from 'fast-check';
import { fingerprint, likeness, stepless } from '../../../src/domain/progress/fingerprint';

const call = { tool: 'read_file', args: { path: 'a', limit: 3 }, environment: 'f00', planStep: 'fix', outside: false };

test('R7.1 the same call in an unchanged world has the same fingerprint, whatever the order of its keys', () => {
  expect(fingerprint(call)).toMatch(/^[0-9a-f]{64}$/);
  expect(fingerprint({ ...call, args: { limit: 3, path: 'a' } })).toBe(fingerprint(call));
});

test('R7.1 reading a file before and after a patch is no repeat', () => {
  expect(fingerprint({ ...call, environment: 'f01' })).not.toBe(fingerprint(call));
});

test.each([
  ['tool', { tool: 'list_files' }],
  ['arguments', { args: { path: 'a', limit: 4 } }],
  ['plan step', { planStep: 'test' }],
])('R7.1 another %s is another fingerprint', (_, change) => {
  expect(fingerprint({ ...call, ...change })).not.toBe(fingerprint(call));
});

test('R7.3 without the step of the plan a call is the same in every step', () => {
  expect(stepless(call)).toBe(fingerprint({ ...call, planStep: '' }));
  expect(stepless({ ...call, planStep: 'other' })).toBe(stepless(call));
  expect(stepless({ ...call, planStep: '' })).toBeUndefined();
});

test('R7.1 arguments that are no JSON are told apart by their text, and from JSON that looks like it', () => {
  const prints = ['{"path":', '{"path": "', { path: 'a' }, '{"path":"a"}'].map((args) =>
    fingerprint({ ...call, args }),
  );
  expect(new Set(prints).size).toBe(4);
});

test('R7.1 white space in a text does not make another call', () => {
  const run = (command: string) => fingerprint({ ...call, args: { command, env: [{ name: 'A ' }] } });
  expect(run(' npm  test\n')).toBe(run('npm test'));
  expect(run('npmtest')).not.toBe(run('npm test'));
});

test('R7.1 fields cannot be shifted into each other', () => {
  const word = fc.string().map((text) => text.replace(/\s/g, '_'));
  fc.assert(
    fc.property(word, word, word, word, (tool, other, environment, elsewhere) => {
      const same = tool === other && environment === elsewhere;
      const prints = [
        fingerprint({ ...call, tool, environment }),
        fingerprint({ ...call, tool: other, environment: elsewhere }),
      ];
      expect(prints[0] === prints[1]).toBe(same);
    }),
  );
});

const alike = (args: unknown) => likeness({ ...call, args });
const print = (args: unknown) => fingerprint({ ...call, args });

test('R7.1 a question may be put in other words, and the calls are still alike', () => {
  const [one, other] = [{ query: 'how do I configure auth' }, { query: 'auth configuration, please tell' }];
  expect(alike(one)).toBeDefined();
  expect(alike(one)).toBe(alike(other));
  expect(print(one)).not.toBe(print(other));
});

test.each([
  ['what is said about the call', { path: 'a', reason: 'Look again.' }, { path: 'a', reason: 'Once more!' }],
  ['a comment in a shell line', { command: 'npm test # first try' }, { command: 'npm test # second, with feeling' }],
  ['a line of comment', { command: '# first\nnpm test' }, { command: '# second\nnpm test' }],
])('R7.1 %s is no part of it', (_, one, other) => {
  expect(print(one)).toBe(print(other));
});

test('R7.1 an argument that changes nothing of what is asked is no part of it', () => {
  const run = (timeoutMs: number) =>
    fingerprint({ ...call, args: { command: 'npm test', timeoutMs }, incidental: ['timeoutMs'] });
  expect(run(1_000)).toBe(run(600_000));
  expect(fingerprint({ ...call, args: { path: 'b', limit: 3 }, incidental: ['limit'] })).not.toBe(
    fingerprint({ ...call, incidental: ['limit'] }),
  );
});

test('R7.1 who is asked in one word is asked in words; a name of something else is none', () => {
  expect(alike({ query: 'refunds' })).toBe(alike({ query: 'parcel refund window, please' }));
  expect(alike({ pattern: 'refunds' })).toBeUndefined();
  expect(alike({ name: 'ana' })).toBeUndefined();
});

test.each([
  ['a number', 'delivery of the order 4711', 'delivery of the order 4712'],
  ['an id', 'state of build a3-17', 'state of build a3-18'],
  ['a name', 'refund policy in Germany', 'refund policy in France'],
])('R7.1 what a question names stays: by %s it asks for something else', (_, one, other) => {
  expect(alike({ query: one })).not.toBe(alike({ query: other }));
  expect(alike({ query: one })).toBe(alike({ query: `please, the ${one}, now` }));
});

test('R7.1 the number of a try, and how a sentence begins, name nothing', () => {
  const asked = (n: number, opener: string) =>
    alike({ question: `${opener} how long is the refund window, question ${n}?` });
  expect(asked(1, 'Once more:')).toBe(asked(12, 'I wonder.'));
});

test('R7.1 what is sent outside is every word of it', () => {
  const sent = (args: unknown) => ({ ...call, args, outside: true });
  expect(fingerprint(sent({ to: 'ana', comment: 'Hello.' }))).not.toBe(
    fingerprint(sent({ to: 'ana', comment: 'Bye.' })),
  );
  expect(likeness(sent({ to: 'ana', text: 'This is a long message.' }))).toBeUndefined();
});

test.each([
  ['paths', { path: 'a/LICENSE' }, { path: 'b/LICENSE' }],
  ['shell lines', { command: 'cat a/LICENSE' }, { command: 'cat b/LICENSE' }],
  ['shell lines in words', { command: 'npm run lint' }, { command: 'npm run test' }],
  ['statements', { sql: 'select name from users' }, { sql: 'select id from users' }],
  ['patterns', { pattern: 'foo' }, { pattern: 'bar' }],
  ['numbers', { offset: 0 }, { offset: 100 }],
  ['headings', { pattern: '# One' }, { pattern: '# Two' }],
  ['a quoted mark', { command: 'grep "# one" a' }, { command: 'grep "# two" a' }],
])('R7.1 %s are no words: two files with the same content are two calls', (_, one, other) => {
  expect(alike(one) ?? fingerprint({ ...call, args: one })).not.toBe(
    alike(other) ?? fingerprint({ ...call, args: other }),
  );
});

test('R7.1 a call without words has no likeness beside its fingerprint', () => {
  expect(alike({ path: 'a', limit: 3 })).toBeUndefined();
});
