import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check';
import { defineCheck } from './define-check';

/** PostgreSQL's log alone may take a gigabyte between two checkpoints. */
const minFreeBytes = 2 * 1024 ** 3;
const bytesInGiB = 1024 ** 3;

/** Whether a file can be written there, and whether there is room for the databases. */
export function checkDataFolder(dataDir: string): Check {
  const fix = `Make ${dataDir} writable, or choose another data folder (HOLDFAST_DATA_DIR).`;
  return defineCheck('data folder', true, fix, async () => {
    await mkdir(dataDir, { recursive: true });
    const file = join(dataDir, `.check-${randomUUID()}`);
    await writeFile(file, 'x', { flush: true });
    await rm(file);
    const { bavail, bsize } = await statfs(dataDir);
    const found = `${dataDir}, ${((bavail * bsize) / bytesInGiB).toFixed(1)} GiB free`;
    if (bavail * bsize >= minFreeBytes) return { ok: true, found };
    return { ok: false, found, fix: `Free some space: Holdfast wants ${minFreeBytes / bytesInGiB} GiB.` };
  });
}
