import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkspaceSpec } from '../../../src/domain/contract/contract';
import { tempFolder } from '../../support/temp-folder';

/** A signal that never comes. */
export const never = new AbortController().signal;
export const id = { tenant: 'acme', attempt: 'repair/1' };

/** A folder of the test's own, and a repository in it. */
export interface Sandpit {
  readonly folder: string;
  readonly data: string;
  readonly repo: string;
  readonly spec: WorkspaceSpec;
  readonly remove: () => void;
}

export function sandpit(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): Sandpit {
  const folder = tempFolder('holdfast-ws-');
  const repo = join(folder, 'repo');
  mkdirSync(repo);
  gitIn(repo, 'init', '-q', '-b', 'main');
  commitIn(repo, files);
  return {
    folder,
    data: join(folder, 'data'),
    repo,
    spec: { git: repo, ref: 'main', setup: [] },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export function writeIn(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function commitIn(repo: string, files: Readonly<Record<string, string>>): string {
  writeIn(repo, files);
  gitIn(repo, 'add', '-A');
  gitIn(repo, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'work');
  return gitIn(repo, 'rev-parse', 'HEAD');
}

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Command lines of processes that run now and begin with the text: a scan of /proc, where zombies have none. */
export function running(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return [];
      }
    })
    .filter((line) => line.startsWith(text));
}

/** Whether namespaces can be made here; where not, what needs them is not tested, and commands run without. */
export const hasBubblewrap =
  spawnSync('bwrap', ['--unshare-user', '--unshare-net', '--unshare-pid', '--ro-bind', '/', '/', 'true']).status === 0;

export const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;
