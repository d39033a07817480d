import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../domain/failure/errno-of';

/**
 * What the host with this data folder is called among others. It is made once and lies in the folder, for what a host holds is what
 * its folder holds: it outlives a restart, goes along to another machine, and two folders on one machine are two hosts.
 */
export function hostName(dataDir: string): string {
  const file = join(dataDir, 'host');
  for (;;) {
    const known = readName(file);
    if (known !== undefined) return known;
    mkdirSync(dataDir, { recursive: true });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, `${shortName()}-${randomBytes(4).toString('hex')}\n`);
    try {
      linkSync(own, file); // whole, or another process was first
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(own, { force: true });
    }
  }
}

function readName(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** For a person who reads it: letters and digits of the machine's own name. */
const shortName = () =>
  hostname()
    .toLowerCase()
    .replace(/\..*$/, '')
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, 40) || 'host';
