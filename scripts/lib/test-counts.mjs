/**
 * What jest's JSON reports say together. A project without a report is one failure, as are a file that could not be
 * loaded and an exit that jest does not explain: nothing that went wrong may leave the count at zero.
 */
export function addUp(reports) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { report, exitCode } of reports) {
    const failed = report ? report.numFailedTests + report.numRuntimeErrorTestSuites : 0;
    sum.passed += report?.numPassedTests ?? 0;
    sum.skipped += (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
    sum.failed += failed === 0 && (exitCode !== 0 || !report) ? 1 : failed;
  }
  return sum;
}

export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
