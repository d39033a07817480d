import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessResult } from '../activities/ports';
import type { Host } from './host';
import { buildEnvironment, buildLine } from './layer/build-lines';
import { commitFiles } from './layer/commit-files';
import { type DependencyLayer, readLayer } from './layer/dependency-layer';
import { noLayer, useLayer } from './layer/use-layer';
import type { ProcessMark } from './process/end-processes';
import { runProcess } from './process/run-process';
import type { WorkspaceRecord } from './record';
import { removeTree } from './remove-tree';
import { sandboxHome } from './sandbox/bubblewrap';
import { commandEnvironment } from './sandbox/environment';
import type { Sandbox } from './sandbox/sandbox';

export interface Command {
  readonly record: WorkspaceRecord;
  /** The worktree, or a clean copy. */
  readonly root: string;
  /** The commit that the checkout began at; says what has to be built there. */
  readonly snapshot: string;
  /**
   * A file that says that it was built, where commands follow one another: their own changes stay, and a build that
   * fails leaves the command to run. Without one it is built now, and a build that fails is the command's result.
   */
  readonly built?: string;
  /** A folder to make, and to remove with all that is in it: the command's HOME where no sandbox gives it one. */
  readonly home: string;
  readonly line: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Records the processes before they run. */
  readonly mark: (mark: ProcessMark) => Promise<void> | void;
}

/** A shell line in a checkout, with its dependency layer, without the network. */
export async function runCommand(host: Host, command: Command): Promise<ProcessResult> {
  const sandbox = await host.sandbox();
  if (sandbox.kind === 'bubblewrap') return run(host, command, sandbox, sandboxHome);
  await removeTree(command.home);
  await mkdir(command.home, { recursive: true });
  try {
    return await run(host, command, sandbox, command.home);
  } finally {
    await removeTree(command.home);
  }
}

async function run(host: Host, command: Command, sandbox: Sandbox, home: string): Promise<ProcessResult> {
  const { record, root, line, timeoutMs, signal } = command;
  const own = commandEnvironment(host.env, home);
  const path = own['PATH'] ?? '';
  const layer = record.layer === undefined ? undefined : await readLayer(record.layer);
  const use =
    layer === undefined || record.layer === undefined
      ? noLayer
      : await useLayer(layer, record.layer, { root, sandbox: sandbox.kind, path, signal });
  const env = { ...own, ...use.env };
  const start = (text: string, limitMs: number, more: Readonly<Record<string, string>> = {}) => {
    const argv = sandbox.wrap({
      line: text,
      root,
      env: { ...env, ...more },
      readOnly: [...host.readOnly, record.mirror, ...use.readOnly],
      mounts: [{ kind: 'read_only', from: join(root, '.git'), to: join(root, '.git') }, ...use.mounts],
      network: false,
    });
    return runProcess({
      argv,
      env: { ...env, ...more },
      cwd: root,
      timeoutMs: limitMs,
      signal,
      onMarked: command.mark,
    });
  };

  const build = layer && (await missingBuild(host, command, layer));
  if (build === undefined) return start(line, timeoutMs);
  const made = await start(build, timeoutMs, buildEnvironment);
  const failed = made.end !== 'exited' || made.exitCode !== 0;
  const told = failed ? { ...made, output: `${buildFailed}\n${made.output}` } : undefined;
  if (command.built === undefined) return told ?? start(line, leftOf(timeoutMs, made));
  if (made.end === 'exited') await writeFile(command.built, '');
  else return told ?? made;
  const result = await start(line, leftOf(timeoutMs, made));
  return told ? { ...result, output: `${told.output}\n${result.output}` } : result;
}

const buildFailed = "What the workspace's setup builds from these sources cannot be built:";

async function missingBuild(host: Host, command: Command, layer: DependencyLayer): Promise<string | undefined> {
  if (command.built !== undefined && existsSync(command.built)) return undefined;
  return buildLine(layer, commitFiles(host.git, command.record.mirror, command.snapshot));
}

/** The build counts against the command's own time, which is what the caller waits for, ms. */
const leftOf = (timeoutMs: number, { durationMs }: ProcessResult) => Math.max(timeoutMs - durationMs, 1);
