import fc from 'fast-check';
import { fingerprint } from '../../../src/domain/progress/fingerprint';
import { intervention, loopError } from '../../../src/domain/progress/ladder';
import { type ProgressFacts, progressed } from '../../../src/domain/progress/signals';

const call = { tool: 'read_file', args: { path: 'a', limit: 3 }, environment: 'f00', planStep: 'fix' };

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

test('R7.1 arguments that are no JSON are told apart by their text, and from JSON that looks like it', () => {
  const prints = ['{"path":', '{"path": ', { path: 'a' }, '{"path":"a"}'].map((args) => fingerprint({ ...call, args }));
  expect(new Set(prints).size).toBe(4);
});

test('R7.1 fields cannot be shifted into each other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (tool, other, environment, elsewhere) => {
      const same = tool === other && environment === elsewhere;
      const prints = [
        fingerprint({ ...call, tool, environment }),
        fingerprint({ ...call, tool: other, environment: elsewhere }),
      ];
      expect(prints[0] === prints[1]).toBe(same);
    }),
  );
});

test('R7.3 the ladder: nothing, a record, a warning, a new plan, the end, and never back', () => {
  expect([0, 1, 2, 3, 4, 5, 1_000].map(intervention)).toEqual([
    'none',
    'record',
    'warn',
    'replan',
    'end',
    'end',
    'end',
  ]);
});

test('R7.3 the second repeat is answered with LOOP_WARNING, the third demands a plan', () => {
  const codes = [0, 1, 2, 3, 4].map((repeats) => loopError(intervention(repeats), 'read_file')?.code);
  expect(codes).toEqual([undefined, undefined, 'LOOP_WARNING', 'REPLAN_REQUIRED', 'LOOP_DETECTED']);
  expect(loopError('warn', 'read_file')).toEqual({
    code: 'LOOP_WARNING',
    message: expect.stringContaining('read_file'),
    retryable: false,
    suggested_action: expect.any(String),
  });
});

const facts: ProgressFacts = { snapshot: 's1', planDone: 1, failingTests: 3, evidence: 5 };

test('R7.2 the same facts again are no progress', () => {
  expect(progressed(facts, { ...facts })).toBe(false);
});

test.each([
  ['changed files', { snapshot: 's2' }, true],
  ['a plan step done', { planDone: 2 }, true],
  ['fewer failing tests', { failingTests: 2 }, true],
  ['new evidence', { evidence: 6 }, true],
  ['more failing tests', { failingTests: 4 }, false],
  ['a plan step reopened', { planDone: 0 }, false],
])('R7.2 %s', (_, change, expected) => {
  expect(progressed(facts, { ...facts, ...change })).toBe(expected);
});

test('R7.2 tests that run for the first time are progress, even where they fail', () => {
  const { failingTests: _, ...before } = facts;
  expect(progressed(before, facts)).toBe(true);
});
