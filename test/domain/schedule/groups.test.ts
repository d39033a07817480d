import fc from 'fast-check';
import { conflict, type Footprint, isWrite } from '../../../src/domain/schedule/footprint';
import { groups } from '../../../src/domain/schedule/groups';

const reads = (...paths: string[]): Footprint => ({ reads: paths, writes: [], workspace: 'w' });
const writes = (...paths: string[]): Footprint => ({ reads: [], writes: paths, workspace: 'w' });
const order = (name: string, access: 'read' | 'write'): Footprint => ({
  reads: [],
  writes: [],
  target: { name, access },
});

test('R14.1 two reads never conflict, whatever they read', () => {
  expect(conflict(reads('a'), reads('a'))).toBe(false);
  expect(conflict(order('o1', 'read'), order('o1', 'read'))).toBe(false);
});

test.each([
  ['the same path', writes('src/a'), reads('src/a'), true],
  ['a folder above', writes('src'), reads('src/deep/a'), true],
  ['a folder below', writes('src/deep/a'), reads('src'), true],
  ['the whole workspace', writes(''), reads('any'), true],
  ['another path', writes('src/a'), reads('src/b'), false],
  ['a path with the same beginning', writes('src/a'), reads('src/ab'), false],
  ['two writes of one path', writes('a'), writes('a'), true],
  ['two writes of two paths', writes('a'), writes('b'), false],
  ['the same path of another workspace', writes('a'), { ...reads('a'), workspace: 'v' }, false],
  ['one target, read and written', order('o1', 'read'), order('o1', 'write'), true],
  ['two targets', order('o1', 'write'), order('o2', 'write'), false],
])('R14.1 %s', (_, a, b, expected) => {
  expect(conflict(a, b)).toBe(expected);
  expect(conflict(b, a)).toBe(expected);
});

test('R14.1 writes under the same credentials go one after another, a read does not wait for them', () => {
  const pay = (name: string, access: 'read' | 'write') => ({ ...order(name, access), credentialDomain: 'bank' });
  expect(conflict(pay('a', 'write'), pay('b', 'write'))).toBe(true);
  expect(conflict(pay('a', 'write'), pay('b', 'read'))).toBe(false);
});

test('R14.2 reads run side by side; a write waits for what it overlaps, and what is later waits for it', () => {
  expect(groups([reads('a'), reads('b'), writes('a'), reads('a'), reads('b')])).toEqual([[0, 1], [2], [3, 4]]);
});

test('R14.2 no group is larger than the limit', () => {
  const found = groups(
    Array.from({ length: 20 }, () => reads('a')),
    8,
  );
  expect(found.map(({ length }) => length)).toEqual([8, 8, 4]);
  expect(groups([reads('a'), reads('b')], 1)).toEqual([[0], [1]]);
});

test('R14.1 what nobody knows the footprint of runs alone', () => {
  expect(groups([reads('a'), undefined, undefined, reads('b'), reads('c')])).toEqual([[0], [1], [2], [3, 4]]);
});

test('R14.2 R5.1 policy judges what comes after untrusted content by it, so that content comes before or after all else', () => {
  const fetches: Footprint = { ...reads('a'), taints: true };
  expect(groups([reads('a'), fetches, fetches, reads('b'), reads('c')])).toEqual([[0], [1], [2], [3, 4]]);
});

test('R14.2 nothing to do is no group, and 200 reads are one', () => {
  expect(groups([])).toEqual([]);
  expect(groups(Array.from({ length: 200 }, () => reads('a')))).toHaveLength(1);
});

test('R5.4 nothing shares a group with a write, which may have to wait for a person, as may the read before it', () => {
  expect(groups([reads('a'), writes('b'), reads('c')])).toEqual([[0], [1], [2]]);
});

const path = fc.constantFrom('', 'a', 'a/b', 'a/c', 'b');
const name = fc.constantFrom('o1', 'o2');
const footprint: fc.Arbitrary<Footprint> = fc
  .record({
    reads: fc.array(path, { maxLength: 2 }),
    writes: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(path, { maxLength: 2 }) },
    ),
    workspace: fc.option(fc.constantFrom('w', 'v'), { nil: undefined }),
    target: fc.option(fc.record({ name, access: fc.constantFrom('read' as const, 'write' as const) }), {
      nil: undefined,
    }),
    credentialDomain: fc.option(fc.constantFrom('bank', 'mail'), { nil: undefined }),
    taints: fc.boolean(),
  })
  .map(({ workspace, target, credentialDomain, taints, ...paths }) => ({
    ...paths,
    ...(taints && { taints }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(target === undefined ? {} : { target }),
    ...(credentialDomain === undefined ? {} : { credentialDomain }),
  }));

test('R14.2 every action is in one group, conflicting ones keep their order, and a write is alone', () => {
  const some = fc.array(fc.option(footprint, { nil: undefined }), { maxLength: 12 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 4 }), (footprints, max) => {
      const found = groups(footprints, max);
      expect(found.flat()).toEqual(footprints.map((_, index) => index));
      for (const group of found) {
        const members = group.flatMap((index) => footprints[index] ?? []);
        expect(group.length).toBeLessThanOrEqual(max);
        if (group.length > 1) expect([members.length, members.some(isWrite)]).toEqual([group.length, false]);
        for (const [k, a] of members.entries())
          for (const b of members.slice(k + 1)) expect(conflict(a, b)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

test('R14.1 conflict is symmetric, and only trusted reads are free of it with themselves', () => {
  fc.assert(
    fc.property(footprint, footprint, (a, b) => {
      expect(conflict(a, b)).toBe(conflict(b, a));
      if (a.writes.length > 0 || a.target?.access === 'write' || a.taints) expect(conflict(a, a)).toBe(true);
      else expect(conflict(a, a)).toBe(false);
    }),
  );
});
