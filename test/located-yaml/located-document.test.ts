import { z } from 'zod';
import { parseLocated } from '../../src/located-yaml/located-document';

const schema = z.object({ when: z.string() });
const placeOf = (text: string, within: number) => {
  const { at } = parseLocated('a.yaml', text, schema).problem(['when'], 'wrong', within);
  return [at?.line, at?.column];
};

test.each([
  ['bare', 'when: abc == d', 4, [1, 11]],
  ['in quotes', "when: 'abc == d'", 4, [1, 12]],
  ['after quotes of its own', 'when: \'"a" == d\'', 4, [1, 12]],
  ['at its beginning', 'when: abc', 0, [1, 7]],
])('a character of a text that stands %s has its place', (_what, text, within, place) => {
  expect(placeOf(text, within)).toEqual(place);
});

test.each([
  ['with an escape', 'when: "a\\u0062c == d"'],
  ['over lines', 'when: >\n  abc\n  == d'],
])('in a text that the file has %s, the place is where it begins', (_what, text) => {
  expect(placeOf(text, 4)).toEqual([1, 7]);
});

test('a value that YAML would take for a tag is refused: it would lose its beginning', () => {
  expect(() => parseLocated('a.yaml', 'when: !(a) && b', schema)).toThrow('a.yaml:1:7: a value that begins with "!"');
});
