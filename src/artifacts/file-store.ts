import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArtifactError, type ArtifactPort } from '../activities/ports';
import { errnoOf } from '../domain/failure/errno-of';
import { namePattern } from '../protocol/ids';
import { storeFailure } from './store-failure';

/**
 * The object store on the file system: one file a body, named after its hash, in a folder of the tenant's own (R10.3).
 *
 *   I1  A body is complete before its name exists: it is written beside, synced, then renamed.
 *   I2  A get returns bytes that hash to what was asked for, or throws.
 *   I3  No name leads out of the tenant's folder: tenants and hashes are checked before they become a path.
 */
export function createFileStore(root: string): ArtifactPort {
  return {
    async put(tenant, body) {
      const hash = sha256(body);
      const path = pathOf(root, tenant, hash);
      try {
        if (!(await isStored(path, body.byteLength))) await write(path, body);
      } catch (error) {
        throw storeFailure(error, 'written');
      }
      return hash;
    },

    async get(tenant, hash) {
      if (!hashPattern.test(hash)) return undefined; // I3: a hash that is none names nothing
      let body: Buffer;
      try {
        body = await readFile(pathOf(root, tenant, hash));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw storeFailure(error, 'read');
      }
      if (sha256(body) !== hash) throw corrupt(hash); // I2
      return body;
    },
  };
}

const hashPattern = /^[0-9a-f]{64}$/;

function pathOf(root: string, tenant: string, hash: string): string {
  if (!namePattern.test(tenant)) throw new Error(`not a tenant's name: ${JSON.stringify(tenant)}`); // I3
  return join(root, tenant, hash.slice(0, 2), hash);
}

/** A file of another size is what a dying disk left; the body at hand replaces it. */
async function isStored(path: string, bytes: number): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function write(path: string, body: Buffer): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(beside, body);
    await rename(beside, path); // I1
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function writeSynced(path: string, body: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without it a power cut can take the name and leave the body. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex');

const isMissing = (error: unknown) => errnoOf(error) === 'ENOENT';

function corrupt(hash: string): ArtifactError {
  return new ArtifactError(
    { class: 'unrecoverable', code: 'ARTIFACT_CORRUPT' },
    `The stored body of artifact ${hash} does not have that hash.`,
    'Restore the object store from a backup, and check its disk.',
    undefined,
  );
}
