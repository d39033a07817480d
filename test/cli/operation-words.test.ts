import { operationWords } from '../../src/cli/operation-words';

test.each([
  ['default/create_refund/1042/g1', 'create_refund 1042'],
  ['acme/create_refund/order%3A10%2F42/g12', 'create_refund order:10/42'],
  ['default/refund-1042/1/s2.a0/g1', 'refund-1042/1/s2.a0'],
  ['default/compensate/default/create_refund/1042/g1/g1', 'compensate/default/create_refund/1042/g1'],
  ['default/tool/%zz/g1', 'tool %zz'],
  ['what', 'what'],
])('R11.2 %s is spoken of as %s', (key, words) => {
  expect(operationWords(key)).toBe(words);
});
