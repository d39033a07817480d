// `npm run bench -- NAME [options]`: compiles bench/ with the sources it measures, then runs bench/NAME.ts.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { addAssets } from './lib/assets.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const [name, ...rest] = process.argv.slice(2);
const names = existsSync(inRoot('bench'))
  ? readdirSync(inRoot('bench'))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.slice(0, -'.ts'.length))
      .sort()
  : [];
const help = `Usage: npm run bench -- NAME [options of the benchmark]

NAME is one of: ${names.join(', ') || '(none yet)'}, or "all" for each of them with its defaults.

  npm run bench -- ${names[0] ?? 'NAME'} --json      prints JSON instead of a table
  npm run bench -- ${names[0] ?? 'NAME'} --help      the options of that benchmark
`;

if (name === undefined || name === '--help') {
  process.stdout.write(help);
  process.exit(name ? 0 : 2);
}
const chosen = name === 'all' ? names : [name];
if (chosen.length === 0 || chosen.some((one) => !names.includes(one))) {
  process.stderr.write(help);
  process.exit(2);
}

// Standard output is the benchmark's own, so that --json can be piped.
process.stderr.write('building the benchmarks …\n');
const build = await run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.bench.json'], {
  output: 'keep',
});
process.stderr.write(build.text);
if (build.code !== 0) process.exit(build.code);
mkdirSync(inRoot('dist-bench/src'), { recursive: true });
await addAssets(inRoot('dist-bench/src'));

for (const one of chosen) {
  const { code } = await run(process.execPath, [inRoot('dist-bench/bench', `${one}.js`), ...rest]);
  if (code !== 0) process.exit(code);
}
