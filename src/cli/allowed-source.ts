import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isUrl } from './task-file';

/** Whether a workspace's source lies at or below one of `sources`, as a folder below a folder: a longer name is another one. */
export function isAllowedSource(git: string, sources: readonly string[]): boolean {
  if (isUrl(git)) {
    // A server may read `..` as a step up, out of what is allowed.
    if (/(^|[/:])\.\.(\/|$)/.test(git)) return false;
    return sources.some((source) => isUrl(source) && isAtOrBelow(git, source, source.endsWith(':') ? '' : '/'));
  }
  return sources.some((source) => !isUrl(source) && isAtOrBelow(realPath(git), realPath(source), sep));
}

function isAtOrBelow(place: string, base: string, separator: string): boolean {
  return place === base || place.startsWith(base.endsWith(separator) ? base : base + separator);
}

/** Where links lead; a path that is not there leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
