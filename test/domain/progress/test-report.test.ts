import { failingTests } from '../../../src/domain/progress/test-report';

const reports: readonly (readonly [string, string, number])[] = [
  [
    'jest',
    'Test Suites: 1 failed, 3 passed, 4 total\nTests:       2 failed, 1 skipped, 7 passed, 10 total\nTime: 1 s',
    2,
  ],
  ['jest, all passed', 'Test Suites: 4 passed, 4 total\nTests:       10 passed, 10 total', 0],
  ['jest, a suite that does not load', 'Test Suites: 1 failed, 1 total\nTests:       0 total', 1],
  ['jest, in two packages', 'Tests:       2 failed, 2 total\n…\nTests:       1 failed, 5 passed, 6 total', 3],
  ['jest, in colour', '\u001b[1mTests:       \u001b[22m\u001b[31m2 failed\u001b[39m, 2 total', 2],
  ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  2 failed | 8 passed (10)\n   Start at  12:00:00', 2],
  ['vitest, all passed', ' Test Files  3 passed (3)\n      Tests  10 passed (10)', 0],
  ['vitest, a file that does not load', ' Test Files  1 failed (1)\n      Tests  no tests', 1],
  ['mocha', '\n  8 passing (12ms)\n  2 failing\n\n  1) a\n', 2],
  ['mocha, all passed', '\n  8 passing (1s)\n', 0],
  ['node:test', 'ℹ tests 10\nℹ suites 0\nℹ pass 8\nℹ fail 2\nℹ cancelled 0\nℹ duration_ms 12.3', 2],
  ['node:test as TAP', 'TAP version 13\nnot ok 1 - a\n1..2\n# tests 2\n# pass 1\n# fail 1\n# cancelled 0', 1],
  ['TAP', 'ok 1 - a\nnot ok 2 - b\nnot ok 3 - c # TODO later\n1..3', 1],
  ['pytest', '===== 2 failed, 8 passed, 1 warning in 0.12s =====', 2],
  ['pytest, errors too', '==== 1 failed, 1 passed, 2 errors in 65.20s (0:01:05) ====', 3],
  ['pytest, quiet', '8 passed in 0.12s', 0],
  [
    'go test',
    '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\nFAIL\nFAIL\tpkg/a\t0.01s\nok  \tpkg/b\t0.02s',
    1,
  ],
  ['go test, all passed', 'ok  \tpkg/a\t0.012s\nok  \tpkg/b\t(cached)', 0],
  ['go test, a package that does not build', '# pkg/a\n./a.go:1:1: x\nFAIL\tpkg/a [build failed]\nFAIL', 1],
  [
    'cargo test',
    'test result: FAILED. 8 passed; 2 failed; 0 ignored; 0 measured\n\ntest result: ok. 1 passed; 0 failed; 0 ignored',
    2,
  ],
  [
    'Maven',
    '[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0',
    2,
  ],
  ['Gradle', '10 tests completed, 2 failed, 1 skipped', 2],
  [
    'JUnit XML',
    '<?xml version="1.0"?>\n<testsuites tests="3" failures="1" errors="1"><testsuite failures="1"/></testsuites>',
    2,
  ],
  ['JUnit XML of two suites', '<testsuite name="a" failures="1" errors="0">…\n<testsuite name="b" failures="2">', 3],
];
test.each(reports)('R7.2 failing tests are read from %s', (_, output, failing) => {
  expect(failingTests(`exit code 1\n> npm test\n${output}\n`)).toBe(failing);
  expect(failingTests(output.replace(/\n/g, '\r\n'))).toBe(failing);
});

test.each([
  ['nothing', ''],
  ['a listing', 'a.test.ts\nb.test.ts\n2 files'],
  ['prose about tests', 'Two tests failed yesterday; 3 passed in review.'],
  ['a count in a sentence', 'I ran it: 2 failed, 3 passed in the end'],
  ['a compiler', 'src/a.ts(1,1): error TS2304: Cannot find name.\nFound 2 errors.'],
  ['a build of cargo that failed', 'error[E0425]: cannot find value\nerror: could not compile `a`'],
  ['a word FAIL', 'FAIL is a word'],
])('R7.2 %s is no report', (_, output) => {
  expect(failingTests(output)).toBeNull();
});
