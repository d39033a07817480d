// `npm run holdfast -- <command>`: builds when a source is newer than the last build, then runs the command line.
import { ensureBuilt } from './lib/ensure-built.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const { code } = await run(process.execPath, [inRoot('dist/client.js'), ...process.argv.slice(2)]);
process.exit(code);
