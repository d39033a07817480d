import { foundNothing } from '../../../src/domain/progress/found-nothing';

test.each([
  'No matches.',
  'No articles were found for your search. Try fewer words.',
  '0 results',
  'Your search returned no documents.',
  'There are no matching records for this customer.',
  'Nothing was found in this folder.',
  'The filter did not match any row.',
  '{"total":0,"results":[]}',
  '{"hits": [ ], "took": 3}',
])('R7.1 says that nothing was found: %s', (text) => {
  expect(foundNothing(text)).toBe(true);
});

test.each([
  'The refund window is thirty days.',
  '3 results: a, b, c',
  'exit code 0\nTests: 20 passed, 20 total',
  '{"results":[{"id":1}]}',
  'There is no reason to worry: the order 1042 is paid.',
  `No matches. ${'But here is a long page about something else. '.repeat(40)}`,
])('R7.1 says something: %s', (text) => {
  expect(foundNothing(text)).toBe(false);
});
