// `npm run requirements`: each number of docs/requirements.md with the tests whose titles begin with it.
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { readRequirements } from './lib/read-requirements.mjs';
import { judge } from './lib/requirements-report.mjs';
import { readTestTitles } from './lib/test-titles.mjs';

const help = `Usage: npm run requirements [-- --json | --quiet]

Lists every number of docs/requirements.md with the tests whose titles begin with it. Fails where a built number has no
test, or a test names a number that does not exist. --quiet prints what is wrong, and nothing else.
`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(help);
  process.exit(0);
}
const requirements = readRequirements(readFileSync(inRoot('docs/requirements.md'), 'utf8'));
const { rows, errors, warnings } = judge(requirements, readTestTitles(inRoot('test')));

if (args.includes('--json')) console.log(JSON.stringify({ rows, errors, warnings }, undefined, 2));
else if (!args.includes('--quiet')) for (const row of rows) print(row);
for (const warning of warnings) console.error(`warning: ${warning}`);
for (const error of errors) console.error(`error: ${error}`);
process.exitCode = errors.length === 0 ? 0 : 1;

function print({ number, status, text, tests }) {
  console.log(`${number} ${status}: ${text}`);
  for (const { file, title } of tests) console.log(`    ${file}: ${title}`);
}
