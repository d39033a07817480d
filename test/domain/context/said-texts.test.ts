import fc from 'fast-check';
import { saidTexts } from '../../../src/domain/context/said-texts';
import type { ViewInput } from '../../../src/domain/context/view-facts';

const said = (texts: readonly string[]): ViewInput[] =>
  texts.map((text, k) => ({ ordinal: k + 2, afterStep: k + 1, kind: 'message', text }));

test('R13.2 what the user said is repeated word for word', () => {
  expect(saidTexts(said(['one', 'two']))).toEqual(['one', 'two']);
});

test('R13.2 where it is more than a view can hold, the oldest is shortened and points to the whole', () => {
  const long = 'x'.repeat(16_000);
  const texts = saidTexts(said(['short', `y${long}`, long, long]));
  expect(texts).toEqual([
    'short',
    `y${'x'.repeat(199)} [… the rest of this message: recall {"pointer":"input/3"} …]`,
    long,
    long,
  ]);
});

test('R13.2 where even beginnings are too many, the oldest are counted and pointed to', () => {
  const texts = saidTexts(said(Array.from({ length: 100 }, () => 'x'.repeat(3_200))));
  expect(texts).toHaveLength(31);
  expect(texts[0]).toBe(
    '[70 earlier messages of the user are not shown: recall {"pointer":"input/2"} to recall {"pointer":"input/71"}]',
  );
});

test('R13.2 whatever was said, it is bounded, and the newest message is whole', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(16_000), { minLength: 1, maxLength: 120 }), (lengths) => {
      const inputs = said(lengths.map((length) => 'x'.repeat(length)));
      const texts = saidTexts(inputs);
      expect(texts.join('').length).toBeLessThan(40_000);
      expect(texts.at(-1)).toBe(inputs.at(-1)?.text);
    }),
  );
});
