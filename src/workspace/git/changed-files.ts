import type { Git } from './git';

export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
}

/** A rename is a deletion and an addition, so that a glob sees both paths. */
export async function changedFiles(
  git: Git,
  gitDir: string,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  const fields = (
    await git.ok({ gitDir }, ['diff-tree', '-r', '-z', '--name-status', '--no-renames', '--end-of-options', from, to])
  ).split('\0');
  const changed: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    changed.push({ status: statusOf(fields[at]), path: fields[at + 1] ?? '' });
  return changed;
}

function statusOf(letter: string | undefined): ChangedFile['status'] {
  switch (letter) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    default:
      return 'modified'; // also a change of type or mode
  }
}
