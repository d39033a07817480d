import fc from 'fast-check';
import {
  mustLook,
  outside,
  type StaleTarget,
  wholeWorkspace,
  withConflict,
  withLook,
} from '../../../src/domain/failure/stale-targets';

const order = outside('order:1');

test('R8.6 after a conflict its target, and no other, has to be looked at', () => {
  const stale = withConflict([], order);
  expect(mustLook(stale, order, 2)).toBe(true);
  expect(mustLook(stale, outside('order:2'), 2)).toBe(false);
  expect(mustLook(stale, wholeWorkspace, 2)).toBe(false);
  expect(mustLook(withConflict([], wholeWorkspace), wholeWorkspace, 2)).toBe(true);
});

test('R8.6 a look frees the target for later steps, and not for a write that was proposed beside it', () => {
  const looked = withLook(withConflict([], order), 'outside', 3);
  expect(mustLook(looked, order, 3)).toBe(true);
  expect(mustLook(looked, order, 4)).toBe(false);
});

test('R8.6 a look elsewhere frees nothing, and a later look does not put off what an earlier one freed', () => {
  const stale = withConflict([], order);
  expect(withLook(stale, 'workspace', 3)).toBe(stale);
  const twice = withLook(withLook(stale, 'outside', 3), 'outside', 4);
  expect(mustLook(twice, order, 4)).toBe(false);
});

test('R8.6 another conflict makes it stale again, whatever was looked at', () => {
  const again = withConflict(withLook(withConflict([], order), 'outside', 3), order);
  expect(again).toHaveLength(1);
  expect(mustLook(again, order, 9)).toBe(true);
});

test('R8.6 too many conflicts to name make everything outside stale: none is forgotten, and the row stays small', () => {
  let stale: readonly StaleTarget[] = withConflict([], wholeWorkspace);
  for (let n = 0; n < 1_000; n += 1) stale = withConflict(stale, outside(`order:${n}`));
  expect(stale.length).toBeLessThanOrEqual(34);
  for (let n = 0; n < 1_000; n += 1) expect(mustLook(stale, outside(`order:${n}`), 1)).toBe(true);
  expect(mustLook(stale, wholeWorkspace, 1)).toBe(true);
  const looked = withLook(stale, 'outside', 1);
  expect(mustLook(looked, outside('order:7'), 2)).toBe(false);
  expect(mustLook(looked, wholeWorkspace, 2)).toBe(true);
});

test('R8.6 whatever happens in which order, a target is free only after a look of an earlier step that came after its last conflict', () => {
  const happening = fc.record({
    what: fc.constantFrom('conflict' as const, 'look' as const),
    place: fc.constantFrom('workspace' as const, 'outside' as const),
    target: fc.constantFrom('a', 'b'),
    stepsLater: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 20 }), (happenings) => {
      let stale: readonly StaleTarget[] = [];
      let step = 1;
      const conflicts = new Map<string, number | undefined>(); // first look since, by target
      for (const { what, place, target, stepsLater } of happenings) {
        step += stepsLater;
        const named = place === 'workspace' ? wholeWorkspace : outside(target);
        const name = `${named.place} ${named.target}`;
        if (what === 'conflict') {
          stale = withConflict(stale, named);
          conflicts.set(name, undefined);
        } else {
          stale = withLook(stale, place, step);
          for (const [key, looked] of conflicts) {
            if (key.startsWith(place) && looked === undefined) conflicts.set(key, step);
          }
        }
        for (const one of [wholeWorkspace, outside('a'), outside('b')]) {
          const key = `${one.place} ${one.target}`;
          const looked = conflicts.get(key);
          const expected = conflicts.has(key) && (looked === undefined || looked >= step);
          expect(mustLook(stale, one, step)).toBe(expected);
        }
      }
    }),
  );
});
