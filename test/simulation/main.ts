import { simulateSeed } from './run/simulation';

void (async () => {
  const report = await simulateSeed(Number(process.argv[2] ?? 1));
  console.log(report.trace.join('\n'));
  console.log(JSON.stringify(report.plan));
  console.log(report.violations, report.steps, report.reached);
})();
