import { isAtLeast } from '../../../src/embedded/checks/version';

test.each([
  ['20.19.0', '20.19', true],
  ['20.9.1', '20.19', false],
  ['24.1.0', '20.19', true],
  ['git version 2.39.5 (Apple Git-154)', '2.30', true],
  ['git version 2.4.1', '2.30', false],
  ['2.30', '2.30.0', true],
  ['nothing', '1', false],
])('%s is at least %s: %s', (version, min, expected) => {
  expect(isAtLeast(version, min)).toBe(expected);
});
