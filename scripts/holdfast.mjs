// `npm run holdfast -- <command>`: builds when a source is newer than the last build, then runs the command line.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist/.built');
const since = existsSync(built) ? statSync(built).mtimeMs : 0;
const stale = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).some(
  (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > since,
);
if (stale) {
  process.stderr.write('building …\n');
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
const child = spawn(process.execPath, [join(root, 'dist/client.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 130 : 1)));
