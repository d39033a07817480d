import { normaliseResult } from '../../../src/domain/progress/normalise-result';
import { resultHash } from '../../../src/domain/progress/result-hash';

const same: readonly (readonly [string, string, string])[] = [
  ['an ISO time', 'at 2026-01-02T03:04:05.678Z done', 'at 2026-11-12 13:14:15 done'],
  ['an ISO time with an offset', 'at 2026-01-02T03:04:05+01:00', 'at 2026-01-02T03:04:06-0500'],
  ['a mail date', 'Date: Mon, 02 Jan 2026 03:04:05 GMT', 'Date: Tue, 13 Feb 2026 11:12:13 GMT'],
  ['what date prints', 'Mon Jan  5 15:04:05 UTC 2026', 'Tue Dec 16 01:00:00 UTC 2026'],
  ['a line of syslog', 'Jan  5 15:04:05 host x', 'Feb 15 01:02:03 host x'],
  ['a clock', '[12:00:01] building', '[12:00:59] building'],
  ['a clock of twelve hours', 'Start at 1:00:01 PM', 'Start at 11:10:11 am'],
  ['seconds since 1970', '{"at":1767225600,"n":1}', '{"at":1767229999,"n":1}'],
  ['milliseconds since 1970', '{"at":1767225600123}', '{"at":1767229999456}'],
  ['seconds since 1970 by name', 'created_at: 1767225600', 'created_at: 1767229999'],
  ['a stamp at the beginning of a line', '1767225600 started', '1767229999 started'],
  ['a stamp in brackets', '[1767225600.123] started', '[1767229999.456] started'],
  ['a stamp behind a word', 'still pending 1767225600', 'still pending 1767229999'],
  ['an expiry', '{"exp": 1767225600}', '{"exp": 1767229999}'],
  ['a duration', 'ok in 12 ms', 'ok in 1.5 s'],
  ['a duration of minutes', 'real 0m1.234s', 'real 12m10.1s'],
  ['a duration by name', '{"durationMs": 12}', '{"durationMs": 1300.5}'],
  ['what jest says of time', 'Time:        1.2 s, estimated 2 s', 'Time:        0.9 s, estimated 1 s'],
  ['what go says of time', 'ok  \tpkg\t0.012s', 'ok  \tpkg\t(cached)'],
  ['the time of a JUnit report', '<testcase name="a" time="0.012"/>', '<testcase name="a" time="3.5"/>'],
  ['a UUID', 'job 6f1c1f9e-8a3f-4c7e-9d0a-1b2c3d4e5f60', 'job 00000000-8a3f-4c7e-9d0a-1b2c3d4e5f60'],
  ['a ULID', 'id 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'id 01BX5ZZKBKACTAV9WEVGEMMVRZ'],
  ['a trace id', 'trace 4bf92f3577b34da6', 'trace 00f067aa0ba902b7'],
  ['an id by name', 'x-request-id: 77-a', 'x-request-id: 78-b'],
  ['an id by name in JSON', '{"requestId":"17","ok":true}', '{"requestId":"18","ok":true}'],
  ['a number by name', '{"request_id": 17}', '{"request_id": 18}'],
  ['an opaque id with a prefix', 'see req_8fK2j1hQ9z', 'see req_0aB3c4D5e6'],
  ['an address', 'at 0x7ffee4c0', 'at 0x7f001122aa'],
  ['a process', '(node:4242) Warning, pid 4242', '(node:17) Warning, pid 17'],
  ['a port', 'on http://127.0.0.1:54321/', 'on http://127.0.0.1:49999/'],
  ['a temporary path', 'wrote /tmp/tmp.aB3xQ/out.txt', 'wrote /tmp/tmp.Zz9yW/out.txt'],
  ['a progress bar', '[====>     ] 40%', '[==>       ] 40%'],
  ['blocks of a bar', '████░░ 40%', '█████████░ 40%'],
  ['a bar that was redrawn', '10%\r55%\r100% done', '33%\r100% done'],
  ['a spinner', '⠋ working', '⠙ working'],
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a rate', 'copied at 12.5 MB/s', 'copied at 8 KiB/s'],
  ['white space', 'a   b \r\n\tc', 'a b\n c'],
  [
    'the line about what was left out',
    `a\n[... 5 bytes left out here. Read them with read_artifact {"hash":"${'a'.repeat(64)}","offset":8} ...]\nb`,
    `a\n[... 7 bytes left out here. Read them with read_artifact {"hash":"${'1'.repeat(64)}","offset":9} ...]\nb`,
  ],
];
test.each(same)('R7.1 %s does not hide a repeat', (_, one, other) => {
  expect(normaliseResult(one)).toBe(normaliseResult(other));
  expect(resultHash('t', one)).toBe(resultHash('t', other));
});

const different: readonly (readonly [string, string, string])[] = [
  ['a count', '3 failing', '2 failing'],
  ['a share', 'progress 40%', 'progress 45%'],
  ['a state', '{"status":"pending"}', '{"status":"settled"}'],
  ['an amount', 'balance 40.00', 'balance 41.00'],
  ['a date', 'delivered on 2026-01-02', 'delivered on 2026-01-03'],
  ['a commit', `HEAD is ${'a1'.repeat(20)}`, `HEAD is ${'b2'.repeat(20)}`],
  ['a short commit', 'HEAD is a1b2c3d', 'HEAD is d3c2b1a'],
  ['a digest', `sha256:${'a1'.repeat(32)}`, `sha256:${'b2'.repeat(32)}`],
  ['a business number', 'order-2026-000123 is next', 'order-2026-000124 is next'],
  ['a number in a name', 'v1.2.3', 'v1.2.4'],
  ['a place in a file', 'src/a.ts:12:34 error', 'src/a.ts:13:34 error'],
  ['an order', 'order 10000001 is next', 'order 10000002 is next'],
  ['an order of ten digits', 'order 1700000001', 'order 1700000002'],
  ['an order in a list', 'Orders: 1700000001, 1700000003', 'Orders: 1700000002, 1700000003'],
  ['an order by name in JSON', '{"orderId":1700000001}', '{"orderId":1700000002}'],
  ['an order by another name', '{"invoice_number":"1700000001"}', '{"invoice_number":"1700000002"}'],
  ['a numbered invoice', 'see #1700000001', 'see #1700000002'],
  ['a number behind a dash', 'INV-1700000001', 'INV-1700000002'],
  ['a customer', '{"customer": 1700000000001}', '{"customer": 1700000000002}'],
  ['an id of digits with a prefix', 'order_10000001', 'order_10000002'],
  ['an opaque id of something paid', 'refund re_3MtwBwLkdIwHu7ix', 'refund re_3MtwBwLkdIwHu7iy'],
  ['an id of a customer', 'cus_NffrFeUfNV2Hib', 'cus_9s6XKzkNRiz8i3'],
  ['a file of digits', '/srv/export/10000001.csv', '/srv/export/10000002.csv'],
  ['a number of 26 digits', '12345678901234567890123401', '12345678901234567890123402'],
  ['a number of 16 digits', 'account 1234567890123456', 'account 1234567890123457'],
  ['a result by its number', 'result id: 10000001', 'result id: 10000002'],
  ['a word', 'No such file: a', 'No such file: b'],
  ['a version with a letter', 'es2022 module', 'es2023 module'],
];
test.each(different)('R7.1 %s is no noise: it does not fake a repeat', (_, one, other) => {
  expect(resultHash('t', one)).not.toBe(resultHash('t', other));
});

test('R7.1 the same words of two tools are two answers', () => {
  expect(resultHash('a', 'Done.')).not.toBe(resultHash('b', 'Done.'));
});

test.each([
  '0',
  'a1',
  '1:',
  '=',
  ' ',
  '\r',
  '\t',
  '2026-01-02',
  'request_id:',
  '[=',
  'Jan 1 ',
  '1.',
  '"',
  'a_1',
  'at 15',
  '_at:',
  'aTime',
  'a ',
  'at 1700000000 ',
])('R7.1 a long result of %j is no work without end', (piece) => {
  const begun = performance.now();
  normaliseResult(piece.repeat(Math.ceil(64_000 / piece.length)));
  // Some milliseconds where every rule is linear, and seconds where one is not.
  expect(performance.now() - begun).toBeLessThan(1_000);
});
