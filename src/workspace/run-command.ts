import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessResult } from '../activities/ports';
import type { Host } from './host';
import { readLayer } from './layer/dependency-layer';
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
  const layer =
    record.layer === undefined
      ? noLayer
      : await useLayer(await readLayer(record.layer), record.layer, root, sandbox.kind, path);
  const env = { ...own, ...layer.env };
  const argv = sandbox.wrap({
    line,
    root,
    env,
    readOnly: [...host.readOnly, record.mirror, ...layer.readOnly],
    mounts: [{ kind: 'read_only', from: join(root, '.git'), to: join(root, '.git') }, ...layer.mounts],
    network: false,
  });
  return runProcess({ argv, env, cwd: root, timeoutMs, signal, onMarked: command.mark });
}
