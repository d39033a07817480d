import { callScript } from './support/call-script';

const report = (over: Record<string, number>) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  ...over,
});
const addUp = (...reports: unknown[]) => callScript('test-counts.mjs', 'addUp', reports);

test('the counts of all projects are added up', () => {
  const unit = { exitCode: 0, report: report({ numPassedTests: 5, numPendingTests: 1 }) };
  const server = { exitCode: 1, report: report({ numPassedTests: 2, numFailedTests: 3 }) };

  expect(addUp(unit, server)).toEqual({ passed: 7, failed: 3, skipped: 1 });
});

test('a file that could not be loaded is a failure', () => {
  const broken = { exitCode: 1, report: report({ numPassedTests: 4, numRuntimeErrorTestSuites: 1 }) };

  expect(addUp(broken)).toEqual({ passed: 4, failed: 1, skipped: 0 });
});

test('a project that crashed without a report is a failure', () => {
  expect(addUp({ exitCode: 0 })).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('an exit code that no failed test explains is a failure', () => {
  expect(addUp({ exitCode: 1, report: report({ numPassedTests: 9 }) })).toEqual({ passed: 9, failed: 1, skipped: 0 });
});

test.each([
  [{ passed: 3, failed: 0, skipped: 0 }, '3 passed, 0 failed'],
  [{ passed: 3, failed: 2, skipped: 1 }, '3 passed, 2 failed, 1 skipped'],
])('the closing line of %j is "%s"', (counts, line) => {
  expect(callScript('test-counts.mjs', 'closingLine', counts)).toBe(line);
});
