// `npm run limits`: writes docs/timeouts.md from the constants in src/; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { limitsTable } from './lib/limits-table.mjs';
import { inRoot } from './lib/paths.mjs';
import { readLimits } from './lib/read-limits.mjs';

const page = inRoot('docs/timeouts.md');
const limits = readLimits(inRoot('src'));
const unexplained = limits.filter((limit) => limit.why === '');
for (const { file, name } of unexplained) console.error(`src/${file}: ${name} has no comment that says why`);

const table = limitsTable(limits);
let stale = false;
if (process.argv.includes('--check')) {
  stale = readFileSync(page, 'utf8') !== table;
  if (stale) console.error('docs/timeouts.md differs from src/; run: npm run limits');
} else {
  writeFileSync(page, table);
}
process.exitCode = stale || unexplained.length > 0 ? 1 : 0;
