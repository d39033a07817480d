import { mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessResult } from '../../activities/ports';
import type { Environment } from '../git/git';
import type { ProcessMark } from '../process/end-processes';
import { runProcess } from '../process/run-process';
import { commandEnvironment, registryEnvironment } from '../sandbox/environment';
import type { Sandbox } from '../sandbox/sandbox';
import { workspaceError } from '../workspace-errors';
import { buildEnvironment } from './build-lines';
import type { CommitFiles } from './commit-files';
import type { BuildPart, LayerCheckout } from './dependency-layer';
import { fingerprint } from './fingerprint';
import { lifecycleLines, linkedPackages, withoutLifecycle } from './lifecycle';
import type { SetupPlan } from './setup-plan';

export interface SetupRun {
  readonly plan: SetupPlan;
  /** The plan's, filled in. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the base commit. */
  readonly files: CommitFiles;
  /** The layer's folder; the checkout lies in it. */
  readonly folder: string;
  readonly checkout: LayerCheckout;
  /** The worker's. */
  readonly ownEnv: Environment;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  /** Says which processes run, before they do. */
  readonly onMarked: (mark: ProcessMark) => void;
}

/** A large lock file on a slow line; a setup that needs longer wants an image of its own, ms. */
const setupTimeoutMs = 1_200_000;
/** What of the output goes into the error: the end, where package managers say what went wrong, characters. */
const tailShown = 2_000;

/** How the operator's package managers reach their registries; shown to setup, never to the agent's commands. */
const registryFiles = ['.npmrc', '.config/pip', '.pip', '.config/uv', '.config/go', '.config/pnpm'];

/** Runs the lines in order, with the network, in the sandbox; returns what of it has to run in each checkout. */
export async function runSetup(run: SetupRun): Promise<BuildPart> {
  for (const path of registryFiles) await linkInto(run.checkout.home, path);
  return run.plan.by === 'operator' ? await runOperatorsLines(run) : await runPackageManagers(run);
}

async function runPackageManagers(run: SetupRun): Promise<BuildPart> {
  await withoutLifecycle(run.checkout.tree);
  for (const line of run.plan.lines) await runOrThrow(run, line);
  const packages = await linkedPackages(run.checkout.tree);
  const changesDependencies = (await lifecycleLines(packages, run.files)).length > 0;
  return { lines: [], packages, changesDependencies };
}

/**
 * A line that makes something and leaves the dependencies alone is a build: it is repeated in each checkout, and tried
 * here once more as it will run there. What any other line leaves beside the dependencies is in no checkout.
 */
async function runOperatorsLines(run: SetupRun): Promise<BuildPart> {
  const builds: string[] = [];
  for (const line of run.plan.lines) {
    const before = await fingerprint(run.checkout.tree);
    await runOrThrow(run, line);
    const after = await fingerprint(run.checkout.tree);
    if (before.rest === after.rest) continue;
    if (before.dependencies === after.dependencies) builds.push(line);
    else leftOut(run, line, 'it changes dependencies too');
  }
  if (builds.length > 0) await run.checkout.restore();
  const lines: string[] = [];
  for (const line of builds) {
    const { end, exitCode } = await runLine(run, line, { network: false });
    if (end === 'exited' && exitCode === 0) lines.push(line);
    else leftOut(run, line, 'it cannot be repeated without the network');
  }
  return { lines, packages: [], changesDependencies: false };
}

function leftOut({ onProgress }: SetupRun, line: string, why: string): void {
  onProgress(`left out of checks: what "${firstLine(line)}" made outside dependency folders, for ${why}`);
}

async function runOrThrow(run: SetupRun, line: string): Promise<void> {
  run.onProgress(`setup: ${firstLine(line)}`);
  const result = await runLine(run, line, { network: true });
  if (result.end === 'exited' && result.exitCode === 0) return;
  const how = result.end === 'exited' ? `exit code ${result.exitCode}` : result.end.replace('_', ' ');
  throw workspaceError(
    'SETUP_FAILED',
    `Setting up the workspace failed at "${firstLine(line)}" (${how}):\n${result.output.slice(-tailShown)}`,
    'Run that line in a fresh clone of the repository; then correct it, or set workspace.setup to the lines that work.',
  );
}

async function runLine(run: SetupRun, line: string, { network }: { network: boolean }): Promise<ProcessResult> {
  const { tree, home } = run.checkout;
  const own = commandEnvironment(run.ownEnv, home);
  const env = { ...own, ...(network ? registryEnvironment(run.ownEnv) : {}), ...run.env, ...buildEnvironment };
  const argv = run.sandbox.wrap({
    line: `set -e\n${line}`,
    root: tree,
    env,
    readOnly: network ? registryFiles.map((path) => join(homedir(), path)) : [],
    mounts: [{ kind: 'writable', from: run.folder, to: run.folder }],
    network,
  });
  return runProcess({
    argv,
    env,
    cwd: tree,
    timeoutMs: setupTimeoutMs,
    signal: run.signal,
    onMarked: run.onMarked,
    onOutput: (chunk) => report(chunk, run.onProgress),
  });
}

async function linkInto(home: string, path: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await symlink(join(homedir(), path), join(home, path)).catch(() => undefined); // there already
}

function report(chunk: Buffer, onProgress: (line: string) => void): void {
  for (const line of chunk.toString('utf8').split('\n')) if (line.trim() !== '') onProgress(line.trimEnd());
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
