// `npm run check`: types, lint, format, import rules, unused code and the unit tests, side by side.
// `-- --without-tests` leaves the tests out, for whoever runs them all anyway.
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const bin = (path) => inRoot('node_modules', path);
const cruise = ['src', 'test', 'bench', 'console/src', '--config', '.dependency-cruiser.cjs'];
const checks = [
  { name: 'types', args: [bin('typescript/bin/tsc'), '--noEmit'] },
  { name: 'types of the console', args: [bin('typescript/bin/tsc'), '-p', inRoot('console')] },
  { name: 'lint and format', args: [bin('@biomejs/biome/bin/biome'), 'check', '.', '--error-on-warnings'] },
  { name: 'import rules', args: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), ...cruise] },
  { name: 'unused code', args: [bin('knip/bin/knip.js')] },
  { name: 'requirements', args: [inRoot('scripts/requirements.mjs'), '--quiet'] },
];
if (!process.argv.includes('--without-tests'))
  checks.push({ name: 'unit tests', args: [bin('jest/bin/jest.js'), '--selectProjects', 'unit', '--silent'] });

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const startedAt = performance.now();
const failed = [];
await Promise.all(
  checks.map(async ({ name, args }) => {
    const checkStartedAt = performance.now();
    const { code, text } = await run(process.execPath, args, { output: 'keep' });
    console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds(checkStartedAt)})`);
    if (code === 0) return;
    failed.push(name);
    console.log(text.trimEnd());
  }),
);
console.log(failed.length === 0 ? `all checks passed in ${seconds(startedAt)}` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
