import { differenceFromRows } from '../../../src/domain/contract/query/expected-rows';
import { sameRows } from '../../../src/domain/contract/query/same-rows';

const columns = ['region', 'total'];
const rows = (...values: [string, number][]) => ({ columns, rows: values });
const north = rows(['north', 12.5]);

test('R3.3 rows in another order are the same result where the query says no order, and another one where it does', () => {
  const a = rows(['north', 1], ['south', 2]);
  const b = rows(['south', 2], ['north', 1]);
  expect([sameRows(a, b, false), sameRows(a, b, true), sameRows(a, a, true)]).toEqual([true, false, true]);
});

test('R3.3 a row more, twice the same row, another value or another column is another result', () => {
  const others = [
    rows(),
    rows(['north', 12.5], ['north', 12.5]),
    rows(['north', 12.25]),
    { columns: ['region', 'sum'], rows: north.rows },
    { columns, rows: [['north', '12.5']] },
  ];
  expect(others.map((other) => sameRows(north, other, false))).toEqual(others.map(() => false));
});

test('R3.3 what is expected is compared with the only row, whose other columns do no harm', () => {
  expect(differenceFromRows({ total: 12.5 }, north)).toBeUndefined();
  expect(differenceFromRows({ total: 13 }, north)).toEqual({
    kind: 'values',
    differences: [{ path: 'total', expected: 13, found: 12.5 }],
  });
  expect(differenceFromRows({ total: 1 }, rows())).toEqual({ kind: 'rows', found: 0 });
  expect(differenceFromRows({ total: 1 }, rows(['a', 1], ['b', 1]))).toEqual({ kind: 'rows', found: 2 });
});

test('R3.3 rows that are expected are all rows, in order', () => {
  const two = rows(['north', 1], ['south', 2]);
  const [a, b] = [
    { region: 'north', total: 1 },
    { region: 'south', total: 2 },
  ];
  expect(differenceFromRows({ rows: [a, b] }, two)).toBeUndefined();
  for (const expected of [[b, a], [a], [a, b, b], []])
    expect(differenceFromRows({ rows: expected }, two)).toMatchObject({ kind: 'values' });
});
