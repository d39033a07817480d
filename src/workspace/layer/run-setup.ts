import { mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../git/git';
import { runProcess } from '../process/run-process';
import { commandEnvironment, registryEnvironment } from '../sandbox/environment';
import type { Sandbox } from '../sandbox/sandbox';
import { workspaceError } from '../workspace-errors';

export interface SetupRun {
  readonly lines: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The layer's folder; `tree` and `home` lie in it. */
  readonly folder: string;
  readonly tree: string;
  readonly home: string;
  /** The worker's. */
  readonly ownEnv: Environment;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** A large lock file on a slow line; a setup that needs longer wants an image of its own, ms. */
const setupTimeoutMs = 1_200_000;
/** What of the output goes into the error: the end, where package managers say what went wrong, characters. */
const tailShown = 2_000;

/** How the operator's package managers reach their registries; shown to setup, never to the agent's commands. */
const registryFiles = ['.npmrc', '.config/pip', '.pip', '.config/uv', '.config/go', '.config/pnpm'];

/** Runs the lines in order, with the network, in the sandbox. */
export async function runSetup(run: SetupRun): Promise<void> {
  const configuration = registryFiles.map((path) => join(homedir(), path));
  for (const path of registryFiles) await linkInto(run.home, path);
  const env = { ...commandEnvironment(run.ownEnv, run.home), ...registryEnvironment(run.ownEnv), ...run.env };
  for (const line of run.lines) {
    run.onProgress(`setup: ${firstLine(line)}`);
    const argv = run.sandbox.wrap({
      line: `set -e\n${line}`,
      root: run.tree,
      env,
      readOnly: configuration,
      mounts: [{ kind: 'writable', from: run.folder, to: run.folder }],
      network: true,
    });
    const result = await runProcess({
      argv,
      env,
      cwd: run.tree,
      timeoutMs: setupTimeoutMs,
      signal: run.signal,
      onOutput: (chunk) => report(chunk, run.onProgress),
    });
    if (result.end === 'exited' && result.exitCode === 0) continue;
    const how = result.end === 'exited' ? `exit code ${result.exitCode}` : result.end.replace('_', ' ');
    throw workspaceError(
      'SETUP_FAILED',
      `Setting up the workspace failed at "${firstLine(line)}" (${how}):\n${result.output.slice(-tailShown)}`,
      'Run that line in a fresh clone of the repository; then correct it, or set workspace.setup to the lines that work.',
    );
  }
}

async function linkInto(home: string, path: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await symlink(join(homedir(), path), join(home, path)).catch(() => undefined); // there already
}

function report(chunk: Buffer, onProgress: (line: string) => void): void {
  for (const line of chunk.toString('utf8').split('\n')) if (line.trim() !== '') onProgress(line.trimEnd());
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
