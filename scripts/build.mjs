// Builds dist/: the compiled sources and the files that they read beside themselves.
import { chmodSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { addAssets } from './lib/assets.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

// A half-made build must not pass for a finished one.
rmSync(inRoot('dist/.built'), { force: true });
// Sources that change while the compiler reads them are newer than this, so the next run builds again.
const startedAt = new Date();
const { code } = await run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
if (code !== 0) process.exit(code);
await buildConsole();
removeOrphans();
await addAssets(inRoot('dist'));
chmodSync(inRoot('dist/client.js'), 0o755);
writeFileSync(inRoot('dist/.built'), '');
utimesSync(inRoot('dist/.built'), startedAt, startedAt);

/** The page that the gateway serves; its files are named by their content. */
async function buildConsole() {
  const vite = inRoot('node_modules/vite/bin/vite.js');
  const { code, text } = await run(process.execPath, [vite, 'build', inRoot('console'), '--logLevel', 'warn'], {
    output: 'keep',
  });
  if (text) process.stderr.write(text);
  if (code !== 0) process.exit(code);
}

/** Compiled files whose source is gone. */
function removeOrphans() {
  for (const path of readdirSync(inRoot('dist'), { recursive: true })) {
    if (path.startsWith('console')) continue;
    const source = path.replace(/(\.d\.ts|\.js(\.map)?)$/, '.ts');
    if (source !== path && !existsSync(inRoot('src', source))) rmSync(inRoot('dist', path));
  }
}
