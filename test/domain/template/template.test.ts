import fc from 'fast-check';
import { fillJson, fillTemplate } from '../../../src/domain/template/fill-template';
import { parseTemplate, placeholdersIn, runsTogether, strayBrace } from '../../../src/domain/template/template';

const fill = (text: string, values: Record<string, unknown>) => fillTemplate(parseTemplate(text), values);

test.each([
  ['{orderId}', { orderId: '1042' }, '1042'],
  ['order:{orderId}', { orderId: 1042 }, 'order:1042'],
  ['{order.id}', { order: { id: 7 } }, '7'],
  ['{a}:{b}', { a: 'x', b: true }, 'x:true'],
  ['{a}:{b}', { a: '1:2', b: '100%' }, '1%3a;2:100%25;'],
  ['order:{a}', { a: '1:2' }, 'order:1:2'],
  ['refund {a} of {b}', { a: 'of', b: 'far' }, 'refund of of far'],
])('%s of %j is %s', (text, values, expected) => expect(fill(text, values)).toBe(expected));

test.each([
  [{}],
  [{ orderId: '' }],
  [{ orderId: null }],
  [{ orderId: { id: 1 } }],
  [JSON.parse('{"__proto__":{"orderId":"1"}}')],
])('what is no text, number or boolean names nothing: %j', (values) => {
  expect(() => fill('order:{orderId}', values)).toThrow('there is no text or number {orderId}');
});

test('what is only inherited is no value', () => {
  expect(() => fill('{constructor.name}', {})).toThrow('{constructor.name}');
});

test('E1 no two sets of values fill a template to the same text', () => {
  const templates = ['{a}:{b}', '{a}-{b}', 'x{a}, {b}y', '{a}%{b}'];
  const value = fc.string({
    unit: fc.constantFrom('a', 'b', '1', ':', '-', ',', ' ', '%', ';', '3', 'x'),
    minLength: 1,
  });
  const pair = fc.record({ a: value, b: value });
  fc.assert(
    fc.property(fc.constantFrom(...templates), pair, pair, (text, one, other) => {
      if (fill(text, one) === fill(text, other)) expect(one).toEqual(other);
    }),
    { numRuns: 2_000 },
  );
});

test('placeholders are names; other braces are found', () => {
  expect(placeholdersIn(parseTemplate('a{b}c{d.e}'))).toEqual([['b'], ['d', 'e']]);
  expect(['{a b}', '{}', '{a', 'a}', '{{a}}', '{a..b}'].filter((text) => !strayBrace(parseTemplate(text)))).toEqual([]);
  expect(strayBrace(parseTemplate('{a}:{b}'))).toBe(false);
});

test.each([
  ['{a}{b}', true],
  ['{a}x{b}', true],
  ['{a}:{b}', false],
  ['{a} and {b}', false],
  ['{a}:{b}{c}', true],
  ['x{a}', false],
  ['plain', false],
])('whether values run together in %s: %s', (text, expected) =>
  expect(runsTogether(parseTemplate(text))).toBe(expected),
);

test('JSON is filled in its texts; a text that is one placeholder keeps the type of the value', () => {
  const values = { amount: 40.5, orderId: '1042', result: { id: 17, lines: [1] } };
  const json = {
    amount: '{amount}',
    refund: ['{result.id}', 'r-{result.id}'],
    all: '{result.lines}',
    plain: 7,
    none: null,
    free: '{ "x": 1 }',
  };
  expect(fillJson(json, values)).toEqual({
    amount: 40.5,
    refund: [17, 'r-17'],
    all: [1],
    plain: 7,
    none: null,
    free: '{ "x": 1 }',
  });
  expect(() => fillJson({ a: ['{result.name}'] }, values)).toThrow('{result.name}');
});
