import { terminalEscape } from './terminal-escape';

/**
 * Failing tests that the output of a command tells of (R7.2): 0 where a runner says that all passed, null where no
 * runner reported. A suite or package that could not be run counts as one. Known: jest, vitest, mocha, node:test, TAP,
 * pytest, go test, cargo test, JUnit (Maven, Gradle, XML). Where the output holds several reports of one runner they are
 * added; the first runner that is recognised counts.
 */
export function failingTests(output: string): number | null {
  const text = output.replace(colours, '').replace(/\r\n/g, '\n');
  for (const runner of runners) {
    const failing = runner(text);
    if (failing !== null) return failing;
  }
  return null;
}

const colours = new RegExp(String.raw`${terminalEscape}\[[0-9;]*m`, 'g');

type Runner = (text: string) => number | null;
const runners: readonly Runner[] = [jest, vitest, nodeTest, mocha, pytest, goTest, cargo, maven, gradle, junitXml, tap];

function jest(text: string): number | null {
  const tests = lines(text, /^Tests: {1,10}(?=.*\d+ total)(.*)$/gm);
  if (tests.length === 0) return null;
  const suites = lines(text, /^Test Suites: (?=.*\d+ total)(.*)$/gm);
  return sum(tests, countOf('failed')) || sum(suites, countOf('failed'));
}

function vitest(text: string): number | null {
  const tests = lines(text, /^ {1,8}Tests {2}(.*(?:passed|failed|skipped|todo).*)$/gm);
  const files = lines(text, /^ {0,8}Test Files {2}(.*(?:passed|failed|skipped).*)$/gm);
  if (tests.length + files.length === 0) return null;
  return sum(tests, countOf('failed')) || sum(files, countOf('failed'));
}

/** Both its reporters end with the counts. */
function nodeTest(text: string): number | null {
  if (!/^(?:#|ℹ) tests \d+$/m.test(text)) return null;
  return sum(lines(text, /^(?:#|ℹ) fail (\d+)$/gm), Number) + sum(lines(text, /^(?:#|ℹ) cancelled (\d+)$/gm), Number);
}

function mocha(text: string): number | null {
  if (!/^ {2}\d+ passing \(\S+\)$/m.test(text)) return null;
  return sum(lines(text, /^ {2}(\d+) failing$/gm), Number);
}

function pytest(text: string): number | null {
  const summaries = lines(text, /^(?:=+ )?((?:\d+ [a-z]+(?:, )?){1,8}) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?$/gm);
  const reports = summaries.filter((line) =>
    /\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected)/.test(line),
  );
  if (reports.length === 0) return null;
  return sum(reports, countOf('failed')) + sum(reports, countOf('errors?'));
}

function goTest(text: string): number | null {
  if (!/^(?:ok {1,4}|FAIL)\t\S+\t?/m.test(text)) return null;
  const failed = lines(text, /^--- (FAIL): /gm).length;
  const unbuilt = lines(text, /^FAIL\t\S+ \[(build|setup) failed\]$/gm).length;
  return failed + unbuilt || lines(text, /^(FAIL)\t\S+\t\S+$/gm).length;
}

function cargo(text: string): number | null {
  const results = lines(text, /^test result: (?:ok|FAILED)\. (.*)$/gm);
  return results.length === 0 ? null : sum(results, countOf('failed'));
}

/** The last line without a class is the total. */
function maven(text: string): number | null {
  const total = lines(text, /^(?:\[\w+\] )?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)/gm).at(-1);
  if (total === undefined) return null;
  return Number(/Failures: (\d+)/.exec(total)?.[1]) + Number(/Errors: (\d+)/.exec(total)?.[1]);
}

function gradle(text: string): number | null {
  const done = lines(text, /^(\d+ tests completed(?:, \d+ [a-z]+)*)$/gm);
  return done.length === 0 ? null : sum(done, countOf('failed'));
}

function junitXml(text: string): number | null {
  const all = lines(text, /<testsuites\b([^>]*\bfailures="\d+"[^>]*)>/g);
  const suites = all.length > 0 ? all : lines(text, /<testsuite\b([^>]*\bfailures="\d+"[^>]*)>/g);
  if (suites.length === 0) return null;
  const attribute = (name: string) => (suite: string) =>
    Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  return sum(suites, attribute('failures')) + sum(suites, attribute('errors'));
}

function tap(text: string): number | null {
  if (!/^1\.\.\d+/m.test(text)) return null;
  return lines(text, /^(not ok)\b(?!.*# (?:todo|skip))/gim).length;
}

const lines = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const countOf = (word: string) => (line: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
const sum = (of: readonly string[], count: (line: string) => number) =>
  of.reduce((total, line) => total + count(line), 0);
