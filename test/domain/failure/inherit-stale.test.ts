import { inheritStale } from '../../../src/domain/failure/inherit-stale';
import { mustLook, outside, withConflict, withLook } from '../../../src/domain/failure/stale-targets';

test('R8.6 what was stale for an attempt is stale for whoever goes on from it, also what only that one has looked at', () => {
  const order = outside('order:1');
  const looked = withLook(withConflict([], order), { place: 'outside' }, 3);
  expect(mustLook(looked, order, 4)).toBe(false);
  const inherited = inheritStale(withConflict(looked, outside('order:2'), 'name'));
  expect(inherited).toEqual([order, { ...outside('order:2'), freedBy: 'name' }]);
  expect(mustLook(inherited, order, 1)).toBe(true);
  expect(mustLook(withLook(inherited, { place: 'outside' }, 1), order, 2)).toBe(false);
});
