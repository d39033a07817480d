import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStore } from '../../src/artifacts/file-store';
import { storeFailure } from '../../src/artifacts/store-failure';
import { tempFolder } from '../support/temp-folder';

let root: string;
beforeEach(() => {
  root = tempFolder('holdfast-store-');
});

const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex');
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const fileOf = (tenant: string, hash: string) => join(root, tenant, hash.slice(0, 2), hash);

test('R10.3 a body comes back by its hash, and putting it again adds nothing', async () => {
  const store = createFileStore(root);
  const body = Buffer.from([0, 255, 10, 13, 0]);
  const hash = await store.put('acme', body);
  expect(hash).toBe(hashOf(body));
  expect(await store.put('acme', body)).toBe(hash);
  expect(await store.get('acme', hash)).toEqual(body);
  expect(files(root)).toHaveLength(1);
});

test('R10.3 the same body put many times at once is one whole file', async () => {
  const store = createFileStore(root);
  const body = Buffer.alloc(1_000_000, 'x');
  const hashes = await Promise.all(Array.from({ length: 20 }, () => store.put('acme', body)));
  expect(new Set(hashes).size).toBe(1);
  expect(files(root).map((file) => file.name)).toEqual([hashOf(body)]);
});

test('R10.3 one tenant never reads another tenant’s body', async () => {
  const store = createFileStore(root);
  const hash = await store.put('acme', Buffer.from('secret'));
  expect(await store.get('globex', hash)).toBeUndefined();
});

test.each(['..', '../acme', 'a/b', '', '.hidden', 'A'])('R10.3 tenant %j names no folder', async (tenant) => {
  const store = createFileStore(root);
  await expect(store.put(tenant, Buffer.from('x'))).rejects.toThrow(/not a tenant/);
  await expect(store.get(tenant, hashOf(Buffer.from('x')))).rejects.toThrow(/not a tenant/);
});

test.each(['../../etc/passwd', '', 'ABC', `${'a'.repeat(63)}/`])('R10.3 hash %j names nothing', async (hash) => {
  expect(await createFileStore(root).get('acme', hash)).toBeUndefined();
});

test('R10.3 a body that changed on disk is refused, and a put of a cut one restores it', async () => {
  const store = createFileStore(root);
  const body = Buffer.from('the truth');
  const hash = await store.put('acme', body);
  writeFileSync(fileOf('acme', hash), 'the tru1h');
  await expect(store.get('acme', hash)).rejects.toMatchObject({ failure: { code: 'ARTIFACT_CORRUPT' } });
  truncateSync(fileOf('acme', hash), 3);
  await store.put('acme', body);
  expect(await store.get('acme', hash)).toEqual(body);
});

test('R8.2 a store that cannot be written says so by errno, and keeps nothing half done', async () => {
  writeFileSync(join(root, 'acme'), 'a file where the folder should be');
  await expect(createFileStore(root).put('acme', Buffer.from('x'))).rejects.toMatchObject({
    name: 'ArtifactError',
    errno: expect.stringMatching(/ENOTDIR|EEXIST/),
    failure: { class: 'unrecoverable', code: 'ARTIFACT_STORE_FAILED' },
  });
});

test('R8.2 a full disk is DISK_FULL, the store stays readable, and room makes it work again', async () => {
  const mounted = join(root, 'small');
  mkdirSync(mounted);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mounted]).status !== 0) return onFullDevice();
  try {
    const store = createFileStore(mounted);
    const first = await store.put('acme', Buffer.from('fits'));
    await expect(store.put('acme', Buffer.alloc(1_000_000, 'y'))).rejects.toMatchObject({
      errno: 'ENOSPC',
      failure: { class: 'unrecoverable', code: 'DISK_FULL' },
      suggestedAction: expect.stringContaining('room'),
    });
    expect(files(mounted)).toHaveLength(1);
    expect(await store.get('acme', first)).toEqual(Buffer.from('fits'));
    execFileSync('mount', ['-o', 'remount,size=4m', mounted]);
    await store.put('acme', Buffer.alloc(1_000_000, 'y'));
  } finally {
    execFileSync('umount', [mounted]);
  }
});

/** Without the right to mount: the errno that /dev/full gives, through the same mapping. */
function onFullDevice() {
  const write = () => writeFileSync('/dev/full', 'x');
  expect(write).toThrow(/ENOSPC/);
  expect(storeFailure(Object.assign(new Error('full'), { code: 'ENOSPC' }), 'written')).toMatchObject({
    errno: 'ENOSPC',
    failure: { code: 'DISK_FULL' },
  });
}
