import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { endProcess } from './end-process';
import { findSetpriv } from './find-setpriv';
import type { ManagedProcess, ProcessExit, StopSteps } from './managed-process';
import { openLog } from './open-log';
import { identify } from './process-identity';
import type { ProcessOwner } from './process-owner';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of ours reaches a server by accident. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its standard output and error are appended here. */
  readonly logFile: string;
  readonly stopSteps: StopSteps;
  /** Who it runs as, where not as we do. */
  readonly owner?: ProcessOwner | undefined;
}

/**
 * Starts a server in a session of its own, so that Ctrl-C reaches only us and we stop things in order.
 *
 * Where setpriv is there (Linux), the kernel sends it the first stop signal when this process dies, even by SIGKILL.
 * Elsewhere it lives on, and the next start on the same data folder ends it.
 */
export async function spawnServer(server: ServerCommand): Promise<ManagedProcess> {
  const setpriv = await findSetpriv();
  const log = openLog(server.logFile);
  const options: SpawnOptions = {
    cwd: server.cwd,
    detached: true,
    env: { ...server.env },
    stdio: ['ignore', log, log],
  };
  // A change of user clears the signal of the parent's death, so setpriv must make both, in its own order.
  const child =
    setpriv === undefined
      ? spawn(server.command, server.args, { ...options, ...(server.owner ? ids(server.owner) : {}) })
      : spawn(setpriv, [...setprivArgs(server), '--', server.command, ...server.args], options);
  closeSync(log);
  const exited = new Promise<ProcessExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await once(child, 'spawn');

  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity === undefined) throw new Error(`${server.command} ended as soon as it started; see ${server.logFile}`);
  return { identity, exited, stop: () => endProcess(identity, server.stopSteps) };
}

const ids = ({ uid, gid }: ProcessOwner) => ({ uid, gid });

function setprivArgs({ stopSteps: [{ signal }], owner }: ServerCommand): readonly string[] {
  const death = ['--pdeathsig', signal.replace(/^SIG/, '')];
  if (owner === undefined) return death;
  const user = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'];
  return [...death, ...user, ...owner.setprivArgs];
}
