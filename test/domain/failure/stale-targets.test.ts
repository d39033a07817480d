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
/** A look at something outside that does not say what it looked at. */
const anything = { place: 'outside' } as const;
const at = (target: string) => ({ ...anything, target });

test('R8.6 after a conflict its target, and no other, has to be looked at', () => {
  const stale = withConflict([], order);
  expect(mustLook(stale, order, 2)).toBe(true);
  expect(mustLook(stale, outside('order:2'), 2)).toBe(false);
  expect(mustLook(stale, wholeWorkspace, 2)).toBe(false);
  expect(mustLook(withConflict([], wholeWorkspace), wholeWorkspace, 2)).toBe(true);
});

test('R8.6 a look frees the target for later steps, and not for a write that was proposed beside it', () => {
  const looked = withLook(withConflict([], order), anything, 3);
  expect(mustLook(looked, order, 3)).toBe(true);
  expect(mustLook(looked, order, 4)).toBe(false);
});

test('R8.6 a look elsewhere frees nothing, and a later look does not put off what an earlier one freed', () => {
  const stale = withConflict([], order);
  expect(withLook(stale, { place: 'workspace' }, 3)).toBe(stale);
  const twice = withLook(withLook(stale, anything, 3), anything, 4);
  expect(mustLook(twice, order, 4)).toBe(false);
});

test('R8.6 another conflict makes it stale again, whatever was looked at', () => {
  const again = withConflict(withLook(withConflict([], order), anything, 3), order);
  expect(again).toHaveLength(1);
  expect(mustLook(again, order, 9)).toBe(true);
});

test('R8.6 too many conflicts to name make everything outside stale: none is forgotten, and the row stays small', () => {
  let stale: readonly StaleTarget[] = withConflict([], wholeWorkspace);
  for (let n = 0; n < 1_000; n += 1) stale = withConflict(stale, outside(`order:${n}`));
  expect(stale.length).toBeLessThanOrEqual(34);
  for (let n = 0; n < 1_000; n += 1) expect(mustLook(stale, outside(`order:${n}`), 1)).toBe(true);
  expect(mustLook(stale, wholeWorkspace, 1)).toBe(true);
  const looked = withLook(stale, anything, 1);
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
          stale = withLook(stale, { place }, step);
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

test('R8.6 a look that names its target frees that target alone', () => {
  const stale = withConflict(withConflict([], order), outside('order:2'));
  const looked = withLook(stale, at('order:1'), 3);
  expect(mustLook(looked, order, 4)).toBe(false);
  expect(mustLook(looked, outside('order:2'), 4)).toBe(true);
  expect(withLook(stale, at('order:3'), 3)).toBe(stale);
});

test('R8.6 a target that a read names is freed by such a look alone; without one, by any that names nothing', () => {
  const named = withConflict([], order, 'name');
  expect(withLook(named, anything, 3)).toBe(named);
  expect(mustLook(withLook(named, at('order:1'), 3), order, 4)).toBe(false);
  const unnamed = withConflict([], order);
  expect(withLook(unnamed, at('order:2'), 3)).toBe(unnamed);
  expect(mustLook(withLook(unnamed, anything, 3), order, 4)).toBe(false);
});

test('R8.6 where every read names its target, and none this one, any of them frees it: nothing waits for ever', () => {
  const stale = withConflict([], order, 'any');
  expect(mustLook(withLook(stale, at('parcel:7'), 3), order, 4)).toBe(false);
});

test('R8.6 too many conflicts to name are freed by a look at any of them', () => {
  let stale: readonly StaleTarget[] = [];
  for (let n = 0; n < 40; n += 1) stale = withConflict(stale, outside(`order:${n}`), 'name');
  expect(mustLook(withLook(stale, at('order:39'), 1), outside('order:5'), 2)).toBe(false);
});
