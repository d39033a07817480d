import { simulateSeed } from './run/simulation';
import { shrink } from './run/shrink';
void (async () => {
  const report = await shrink(await simulateSeed(Number(process.argv[2] ?? 1)));
  console.log(report.trace.filter((l) => !/looks|limit of|listens/.test(l)).slice(Number(process.argv[3] ?? -150), process.argv[4] ? Number(process.argv[4]) : undefined).map((l) => l.slice(0, 220)).join('\n'));
  console.log(JSON.stringify(report.plan));
  console.log(report.violations, report.steps);
})();
