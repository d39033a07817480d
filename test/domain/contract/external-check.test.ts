import fc from 'fast-check';
import { differenceInWords, differencesFrom } from '../../../src/domain/contract/external-check';

const words = (expected: Record<string, unknown>, answer: unknown) =>
  differencesFrom(expected, answer).map(differenceInWords);

test('R3.3 an answer that holds all that is expected has no difference, whatever else it holds', () => {
  const answer = { status: 'settled', amount: 40, parcel: { carrier: 'post', weight: 2 }, notes: ['a'] };
  expect(words({ status: 'settled', parcel: { carrier: 'post' }, notes: ['a'] }, answer)).toEqual([]);
});

test('R3.3 each key that differs is named with what was expected and what was found', () => {
  expect(words({ status: 'settled', parcel: { carrier: 'post' } }, { status: 'pending', parcel: {} })).toEqual([
    '`status`: expected "settled", found "pending".',
    '`parcel.carrier`: expected "post", found nothing.',
  ]);
});

test.each([
  [{ amount: 40 }, { amount: '40' }, '`amount`: expected 40, found "40".'],
  [{ list: [1, 2] }, { list: [2, 1] }, '`list`: expected [1,2], found [2,1].'],
  [{ parcel: { a: 1 } }, { parcel: null }, '`parcel`: expected {"a":1}, found null.'],
  [{ gone: null }, {}, '`gone`: expected null, found nothing.'],
  [{ status: 'settled' }, 'settled', 'The answer: expected {"status":"settled"}, found "settled".'],
  [{ status: 'settled' }, [{ status: 'settled' }], /^The answer: expected .*, found \[/],
  [{ toString: 1 }, {}, '`toString`: expected 1, found nothing.'],
])('R3.3 %j is not what %j holds', (expected, answer, said) => {
  expect(words(expected, answer)).toEqual([typeof said === 'string' ? said : expect.stringMatching(said)]);
});

test('R3.3 a value that is long is cut', () => {
  expect(words({ text: 'a' }, { text: 'x'.repeat(5_000) })[0]?.length).toBeLessThan(300);
});

test('R3.3 whatever JSON is expected is found in itself', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (value) => {
      const json = JSON.parse(JSON.stringify(value));
      expect(differencesFrom(json, json)).toEqual([]);
    }),
  );
});
