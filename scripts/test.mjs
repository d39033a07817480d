// `npm test`: every test, cheapest first; the last line is `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { addUp, closingLine } from './lib/test-counts.mjs';

const help = `Usage: npm test [-- [--only PROJECT] [jest options and path patterns]]

Runs the first of these projects, then the others side by side, and adds their results up:
  unit      pure and fast, nothing started
  server    against a real Temporal server and a real PostgreSQL, started by themselves
  process   whole processes, killed and started again
  browser   in a real Chromium, where there is one (or HOLDFAST_CHROMIUM names it)
dist/ is built before the others where it is stale.

  npm test -- test/domain        tests whose path matches
  npm test -- --only unit        one project
  npm test -- -t R8.5            tests whose title matches
`;

/** One after the other; the projects of a phase run side by side on one set of servers. */
const phases = [['unit'], ['server', 'process', 'browser']];
const projects = phases.flat();
/**
 * Tests on servers wait half of their time, so one more than cores keeps these busy; leases and time limits must still hold.
 * More than six at once would wait for the servers themselves.
 */
const serverWorkers = Math.min(availableParallelism() + 1, 6);
/** Between jest's report and its exit; one that stays longer has left something open, and would wait for ever. */
const exitGraceMs = 20_000;
const pollMs = 250;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(help);
  process.exit(0);
}
const only = takeOption(args, '--only');
if (only !== undefined && !projects.includes(only)) {
  console.error(`--only takes one of ${projects.join(', ')}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
const reports = [];
for (const phase of only ? [[only]] : phases) reports.push(await runPhase(phase));
rmSync(folder, { recursive: true, force: true });

const counts = addUp(reports);
if (counts.passed + counts.failed === 0) console.log('no test ran');
console.log(`\n${closingLine(counts)}`);
process.exitCode = counts.passed > 0 && counts.failed === 0 ? 0 : 1;

async function runPhase(names) {
  const title = names.join(', ');
  console.log(`\n── ${title} ──`);
  const isUnit = names.includes('unit');
  try {
    if (!isUnit) await ensureBuilt();
  } catch (error) {
    console.log(error.message);
    return { exitCode: 1 };
  }
  const outputFile = join(folder, `${names[0]}.json`);
  const jest = [inRoot('node_modules/jest/bin/jest.js'), '--selectProjects', ...names, '--passWithNoTests'];
  if (!isUnit && !args.some(saysWorkers)) jest.push(`--maxWorkers=${serverWorkers}`);
  const stop = new AbortController();
  const watch = stopAfterReport(outputFile, stop);
  const { code } = await run(process.execPath, [...jest, '--json', '--outputFile', outputFile, ...args], {
    stop: stop.signal,
  });
  clearInterval(watch);
  if (stop.signal.aborted) console.log(`${title}: jest did not exit after its report; a test leaves something open`);
  return { exitCode: code, report: existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : undefined };
}

function saysWorkers(arg) {
  return /^(-i|--runInBand|-w|--maxWorkers)/.test(arg);
}

function stopAfterReport(outputFile, stop) {
  let reportedAt;
  return setInterval(() => {
    if (existsSync(outputFile)) reportedAt ??= Date.now();
    if (reportedAt && Date.now() - reportedAt > exitGraceMs) stop.abort();
  }, pollMs);
}

/** Removes `name VALUE` from the arguments and returns the value. */
function takeOption(list, name) {
  const at = list.indexOf(name);
  return at < 0 ? undefined : list.splice(at, 2)[1];
}
