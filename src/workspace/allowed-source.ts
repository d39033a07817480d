import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { localPath } from './git/mirror';
import { repositoryPlaces } from './git/repository-places';

/**
 * Whether a workspace's source lies at or below one of `sources`, as a folder below a folder: a longer name is another
 * one. Of a local repository so does everything that git would read of it.
 */
export function isAllowedSource(git: string, sources: readonly string[]): boolean {
  const path = localPath(git);
  if (isUrl(git)) {
    // A server may read `..` as a step up, out of what is allowed.
    if (/(^|[/:])\.\.(\/|$)/.test(git)) return false;
    const urls = sources.filter(isUrl);
    if (!urls.some((source) => isAtOrBelow(git, source, source.endsWith(':') ? '' : '/'))) return false;
    return path === undefined || isWithin(path, urls);
  }
  const folders = sources.filter((source) => !isUrl(source));
  return isWithin(git, folders);
}

function isWithin(path: string, sources: readonly string[]): boolean {
  const allowed = sources.flatMap((source) => localPath(source) ?? []).map(realPath);
  try {
    return repositoryPlaces(path).every((place) => allowed.some((base) => isAtOrBelow(realPath(place), base, sep)));
  } catch {
    return false; // who cannot look at it cannot say that it stays inside
  }
}

const isUrl = (source: string) => localPath(source) === undefined || source.startsWith('file://');

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
