import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installedProgram, type ProgramSources } from '../programs/find-program';
import { temporalCli } from '../programs/server-programs';
import type { Check } from './check';
import { defineCheck } from './define-check';
import { isAtLeast } from './version';

const run = promisify(execFile);
/** A program that does not say its version in this time is broken. */
const programTimeoutMs = 10_000;
const minNode = '20.19';
/** The oldest that Debian still maintains; worktrees, bundles and `init --initial-branch` work in it. */
const minGit = '2.30';

export function checkNode(): Check {
  const fix = `Install Node ${minNode} or newer.`;
  return defineCheck('Node', true, fix, async () => {
    const found = process.versions.node;
    return isAtLeast(found, minNode) ? { ok: true, found } : { ok: false, found, fix };
  });
}

export function checkGit(): Check {
  const fix = `Install git ${minGit} or newer: attempts on files work in git worktrees.`;
  return defineCheck('git', true, fix, async () => {
    const found = await firstLine('git', ['--version']);
    return isAtLeast(found, minGit) ? { ok: true, found } : { ok: false, found, fix };
  });
}

export function checkRipgrep(): Check {
  const fix = 'Install ripgrep (rg): searching large repositories is faster with it.';
  return defineCheck('ripgrep', false, fix, async () => ({ ok: true, found: await firstLine('rg', ['--version']) }));
}

/** Really runs a process without network and without a view of the others, as tools are run. */
export function checkSandbox(): Check {
  const fix =
    'Install bubblewrap (bwrap) and allow unprivileged user namespaces; until then commands of the model run without a sandbox.';
  const isolation = ['--unshare-user', '--unshare-pid', '--unshare-net', '--die-with-parent'];
  return defineCheck('bubblewrap', false, fix, async () => {
    const version = await firstLine('bwrap', ['--version']);
    await firstLine('bwrap', [...isolation, '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true']);
    return { ok: true, found: `${version}, runs` };
  });
}

export function checkTemporalCli(sources: ProgramSources): Check {
  const fix = 'It is fetched at the first `holdfast up`; or install it, or name it in TEMPORAL_CLI_PATH.';
  return defineCheck('Temporal CLI', false, fix, async () => {
    const program = await installedProgram(temporalCli, sources);
    if (program === undefined) return { ok: false, found: 'not on this machine yet', fix };
    const version = await firstLine(program.path, ['--version']);
    return { ok: true, found: `${version}, ${program.how}: ${program.path}` };
  });
}

async function firstLine(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, args, { timeout: programTimeoutMs });
  return stdout.split('\n')[0]?.trim() ?? '';
}
