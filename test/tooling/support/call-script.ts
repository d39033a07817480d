import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const scripts = resolve(__dirname, '../../../scripts/lib');

/** Calls an export of a module under scripts/lib in a process of its own: jest cannot load these modules on Node 20. */
export function callScript(file: string, name: string, ...args: unknown[]): unknown {
  const code = `
    import { ${name} } from ${JSON.stringify(`${scripts}/${file}`)};
    console.log(JSON.stringify(${name}(...${JSON.stringify(args)})));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}
