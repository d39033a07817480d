import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeptBundle } from '../../activities/ports';
import { workspaceError } from '../workspace-errors';
import { type Git, gitFailure } from './git';

/** A bundle goes to the object store as one body, which is held in memory on its way; what is larger is no source. */
export const bundleBytesMax = 512 * 1024 ** 2;

/** What git needs besides the commits that `without` names, and all that these lead to. */
export async function makeBundle(
  git: Git,
  gitDir: string,
  {
    commit,
    without,
    signal,
  }: { readonly commit: string; readonly without: readonly string[]; readonly signal: AbortSignal },
  maxBytes = bundleBytesMax,
): Promise<Buffer> {
  const body = await git.bytes({ gitDir }, bundleScript, [commit, ...without], { maxBytes, signal });
  if (body) return body;
  throw workspaceError(
    'SNAPSHOT_TOO_LARGE',
    `What this action changed takes more than ${Math.round(maxBytes / 1024 ** 2)} MB, and a snapshot of it cannot be kept; nothing of it was.`,
    'Make large files in /tmp, or in a folder that .gitignore names.',
  );
}

/**
 * The form of a bundle is written here, for `git bundle` compares with parents alone, and a snapshot's only parent is the base:
 * what the last snapshot has would be sent again with each one (`--shallow`: compare with all that is left out). Files of many
 * megabytes are not compared: it takes seconds and saves little.
 */
const bundleScript = `
commit=$1
shift
printf '# v2 git bundle\\n'
printf -- '-%s\\n' "$@"
printf '%s refs/holdfast/snapshot\\n\\n' "$commit"
{ echo "$commit"; printf '^%s\\n' "$@"; } |
  git -c core.bigFileThreshold=8m pack-objects --revs --thin --shallow --delta-base-offset --stdout -q
`;

/**
 * Reads the bundles that are not here, the oldest first. Each gets a ref until the last is read, since git reads one only
 * where what it stands on hangs on a ref.
 */
export async function readBundles(
  git: Git,
  gitDir: string,
  bundles: readonly KeptBundle[],
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const place = `refs/holdfast-bundles/${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    for (const { snapshot, read } of bundles) {
      signal.throwIfAborted();
      if (!(await hasCommit(git, gitDir, snapshot, signal))) {
        await writeFile(file, await read());
        const taken = await git.run({ gitDir }, ['bundle', 'unbundle', file], { signal });
        if (taken.code !== 0) throw gitFailure(taken, 'bundle unbundle');
      }
      await git.ok({ gitDir }, ['update-ref', `${place}/${snapshot}`, snapshot]);
    }
  } finally {
    await rm(file, { force: true });
    for (const { snapshot } of bundles) await git.run({ gitDir }, ['update-ref', '-d', `${place}/${snapshot}`]);
  }
}

export async function hasCommit(git: Git, gitDir: string, commit: string, signal: AbortSignal): Promise<boolean> {
  return (await git.run({ gitDir }, ['cat-file', '-e', `${commit}^{commit}`], { signal })).code === 0;
}
