import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Of the package: the same from the sources and from the built files. */
const example = join(__dirname, '../../../examples/repair');

export interface RepairFolder {
  readonly task: string;
  readonly transcript: string;
  readonly repo: string;
}

/**
 * The example as a user would have it: a git repository with one commit, and a task file beside it. A repository cannot
 * be kept inside another, so it is made here, once; a later demo finds it with the branches that earlier ones left.
 */
export async function repairFolder(dataDir: string): Promise<RepairFolder> {
  const folder = join(dataDir, 'demo', 'repair');
  if (!existsSync(folder)) {
    const draft = `${folder}.new`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    cpSync(example, draft, { recursive: true });
    await firstCommit(join(draft, 'repo'));
    renameSync(draft, folder);
  }
  return { task: join(folder, 'task.yaml'), transcript: join(folder, 'transcript.yaml'), repo: join(folder, 'repo') };
}

async function firstCommit(repo: string): Promise<void> {
  const git = (...args: string[]) => run('git', ['-C', repo, ...args]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  const author = [
    '-c',
    'user.name=Holdfast demo',
    '-c',
    'user.email=demo@holdfast.invalid',
    '-c',
    'commit.gpgsign=false',
  ];
  await git(...author, 'commit', '--quiet', '--no-verify', '-m', 'A cart that adds up wrongly');
}
