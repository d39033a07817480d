import { scanSql } from '../../../src/domain/contract/query/scan-sql';

test.each([
  ['select 1', 1, 'select'],
  ['  -- first\n/* then; */ SELECT 1;', 1, 'select'],
  ['select \';\' as a, $$;$$ as b, $x$;$$;$x$ as c, ";" as d, [;] as e', 1, 'select'],
  ["select 'it''s; so'", 1, 'select'],
  ['with a as (select 1) select * from a; ;', 1, 'with'],
  ['select 1; delete from t', 2, 'select'],
  ["select 'open; delete from t", 1, 'select'],
  ['select 1 /* open ; delete', 1, 'select'],
  ['(select 1)', 1, ''],
  ['; -- nothing', 0, ''],
])('R3.3 %j: %d statements, and it begins with %j', (sql, statements, firstWord) => {
  expect(scanSql(sql)).toMatchObject({ statements, firstWord });
});

test.each([
  ['select a from t order by a', true],
  ['select a from t ORDER\n BY a limit 3', true],
  ['select a from (select a from t order by a) x', false],
  ['select row_number() over (order by a) from t', false],
  ["select 'order by' from t", false],
  ['select a from t -- order by a', false],
])('R3.3 %j says an order of its rows: %p', (sql, ordered) => {
  expect(scanSql(sql).ordered).toBe(ordered);
});

test.each([
  ['select now(), random()', ['now()', 'random()']],
  ['select current_date, CURRENT_DATE', ['current_date']],
  ["select date('now'), datetime( 'now', '-1 day'), strftime('%Y', 'now')", ["'now'"]],
  ["select 'today'::date, date 'yesterday'", ["'today'", "'yesterday'"]],
  ['select date(), clock_timestamp ()', ['date()', 'clock_timestamp()']],
  ["select date(at) from t where state = 'now' and kind in ('today', 'now')", []],
  ["select t.current_date, random from t where note = 'random()'", []],
  ["select date('2026-01-31'), max(now) from t", []],
])('R3.3 %j changes by itself through %j', (sql, changing) => {
  expect(scanSql(sql).changing).toEqual(changing);
});

test('a text of any length and shape is read in a moment', () => {
  const long = `${"'".repeat(20_001)}${'('.repeat(20_000)}${'/*'.repeat(20_000)}`;
  const beganMs = performance.now();
  scanSql(long);
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});
