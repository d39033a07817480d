import { handlingOf, resumeTable } from '../../../src/domain/checkpoint/resume-table';
import { type Versions, versionDifferences } from '../../../src/domain/checkpoint/versions';

const then: Versions = {
  code: '1.0.0',
  policy: 'p1',
  environment: 'linux, node 22',
  models: { main: 'a', backup: 'b' },
  tools: { read: 'r1', write: 'w1' },
};
const found = (now: Partial<Versions>, before: Versions = then) =>
  versionDifferences(before, { ...then, ...now }).map((difference) => ({
    ...difference,
    handled: handlingOf(difference),
  }));

test('R12.2 every part and change has one handling, and no change is without', () => {
  const rows = Object.entries(resumeTable).flatMap(([part, changes]) =>
    Object.entries(changes).map(([change, handled]) => `${part} ${change}: ${handled}`),
  );
  expect(rows).toEqual([
    'model changed: go_on',
    'model added: go_on',
    'model removed: go_on',
    'model none_left: refuse',
    'tool changed: approve_again',
    'tool added: go_on',
    'tool removed: refuse',
    'skill changed: observe_again',
    'skill added: go_on',
    'skill removed: observe_again',
    'policy changed: approve_again',
    'environment changed: observe_again',
    'code changed: go_on',
    'checkpoint newer: refuse',
    'checkpoint unreadable: refuse',
  ]);
});

test('R12.2 the same versions differ in nothing', () => {
  expect(found({})).toEqual([]);
});

test('R12.2 each thing that changed is named once, with both versions and what follows', () => {
  expect(
    found({
      code: '1.1.0',
      policy: 'p2',
      environment: 'linux, node 24',
      models: { main: 'a2', backup: 'b' },
      tools: { read: 'r2', write: 'w1', send: 's1' },
    }),
  ).toEqual([
    { part: 'model', change: 'changed', name: 'main', from: 'a', to: 'a2', handled: 'go_on' },
    { part: 'tool', change: 'changed', name: 'read', from: 'r1', to: 'r2', handled: 'approve_again' },
    { part: 'tool', change: 'added', name: 'send', from: null, to: 's1', handled: 'go_on' },
    { part: 'policy', change: 'changed', from: 'p1', to: 'p2', handled: 'approve_again' },
    { part: 'environment', change: 'changed', from: 'linux, node 22', to: 'linux, node 24', handled: 'observe_again' },
    { part: 'code', change: 'changed', from: '1.0.0', to: '1.1.0', handled: 'go_on' },
  ]);
});

test('R12.2 a model that is gone leaves the next of its order; where none is left, the step is refused', () => {
  expect(found({ models: { backup: 'b' } })).toEqual([
    { part: 'model', change: 'removed', name: 'main', from: 'a', to: null, handled: 'go_on' },
  ]);
  expect(found({ models: {} })).toMatchObject([
    { name: 'backup', change: 'none_left', handled: 'refuse' },
    { name: 'main', change: 'none_left', handled: 'refuse' },
  ]);
});

test('R12.2 a tool that is gone is refused', () => {
  expect(found({ tools: { read: 'r1' } })).toEqual([
    { part: 'tool', change: 'removed', name: 'write', from: 'w1', to: null, handled: 'refuse' },
  ]);
});

test('R12.2 what nobody noted has not changed, and its absence is seen all the same', () => {
  const older = {
    ...then,
    code: null,
    policy: null,
    environment: null,
    models: { main: null, old: null },
    tools: null,
  };
  expect(found({ models: { main: 'a' } }, older)).toEqual([
    { part: 'model', change: 'removed', name: 'old', from: null, to: null, handled: 'go_on' },
  ]);
});

test('R12.2 a skill that changed is to be read again; where nobody noted any, nothing is said', () => {
  const skills = { refunds: 's1', stock: 's1' };
  const then = { code: null, policy: null, environment: null, models: { main: 'a' }, tools: null, skills };
  const handled = (now: Record<string, string>) =>
    versionDifferences(then, { ...then, skills: now }).map((one) => [one.name, one.change, handlingOf(one)]);
  expect(handled({ refunds: 's2', returns: 's1', stock: 's1' })).toEqual([
    ['refunds', 'changed', 'observe_again'],
    ['returns', 'added', 'go_on'],
  ]);
  expect(handled({ refunds: 's1' })).toEqual([['stock', 'removed', 'observe_again']]);
  const { skills: _none, ...unnoted } = then;
  expect(versionDifferences(unnoted, then)).toEqual([]);
});
