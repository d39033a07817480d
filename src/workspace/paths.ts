import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import { namePattern } from '../protocol/ids';

/**
 * Where everything lies below the data folder. A tenant's repositories, layers and attempts share no folder with
 * another tenant's, so a poisoned layer or a readable object stays at home.
 *
 *     <root>/<tenant>/repositories/<source>/mirror.git   objects and refs of one source
 *                                          /clean/       clean copies that run now
 *     <root>/<tenant>/layers/<key>/                      dependency layers
 *     <root>/<tenant>/records/<task>/<n>.json            what an attempt's workspace is made from
 *     <root>/<tenant>/attempts/<task>/<n>/w<k>/          a worktree of it: tree/, worktree.json, lock.*, index, home/
 */
export function workspacePaths(root: string) {
  const tenantFolder = (tenant: string) => join(root, named(tenant));
  return {
    root,
    attempt: ({ tenant, attempt }: WorkspaceId) =>
      join(tenantFolder(tenant), 'attempts', ...attempt.split('/').map(named)),
    record: ({ tenant, attempt }: WorkspaceId) =>
      `${join(tenantFolder(tenant), 'records', ...attempt.split('/').map(named))}.json`,
    repository: (tenant: string, source: string) => join(tenantFolder(tenant), 'repositories', shortHash(source)),
    layer: (tenant: string, key: string) => join(tenantFolder(tenant), 'layers', key),
  };
}
export type WorkspacePaths = ReturnType<typeof workspacePaths>;

/** The ref that keeps an attempt's newest snapshot alive; a name may hold `..` or end in `.lock`, which git refuses. */
export function snapshotRef({ tenant, attempt }: WorkspaceId): string {
  return `refs/holdfast/${tenant}/${attempt}`.replaceAll('.', '%2e');
}

export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20);

/** A name that could be `..` or hold a slash never becomes a path. */
function named(part: string): string {
  if (!namePattern.test(part)) throw new Error(`not a name: ${JSON.stringify(part)}`);
  return part;
}
