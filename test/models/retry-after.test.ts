import { retryAfterMs } from '../../src/models/retry-after';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['seconds', { 'retry-after': '2' }, 2_000],
  ['part of a second', { 'retry-after': ' 0.25 ' }, 250],
  ['an HTTP date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
  ['a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
  ['milliseconds, which are the more exact', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  ['milliseconds that are none', { 'retry-after-ms': '-1', 'retry-after': '1' }, 1_000],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['nothing', {}, undefined],
  ['no headers', undefined, undefined],
])('R8.5 a wait that was asked for as %s is read', (_what, headers, wait) => {
  expect(retryAfterMs(headers, now)).toBe(wait);
});
