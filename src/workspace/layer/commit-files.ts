import type { Git } from '../git/git';

/** The files of one commit, read without a checkout. */
export interface CommitFiles {
  /** Content hash, or undefined where the commit has no such file. */
  hash(path: string): Promise<string | undefined>;
  read(path: string): Promise<string | undefined>;
}

export function commitFiles(git: Git, gitDir: string, commit: string): CommitFiles {
  return {
    async hash(path) {
      const found = await git.run({ gitDir }, [
        'rev-parse',
        '--verify',
        '--quiet',
        '--end-of-options',
        `${commit}:${path}`,
      ]);
      return found.code === 0 ? found.stdout.trim() : undefined;
    },
    async read(path) {
      const found = await git.run({ gitDir }, ['cat-file', 'blob', `${commit}:${path}`]);
      return found.code === 0 ? found.stdout : undefined;
    },
  };
}
