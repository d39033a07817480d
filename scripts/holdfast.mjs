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
// npm runs this in the project's folder, and says where it was called; paths are meant as they were typed.
process.env.HOLDFAST_CALLED_FROM = process.env.INIT_CWD ?? process.cwd();
const { code } = await run(process.execPath, [inRoot('dist/client.js'), ...process.argv.slice(2)]);
process.exit(code);
