import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { id, never, sandpit, writeIn } from './support/sandpit';

const pit = sandpit({ 'a.txt': 'one\n', '.gitignore': 'build/\n' });
afterAll(() => pit.remove());
const host = (name: string) => createWorkspaces({ dataDir: join(pit.folder, name), sandbox: 'auto', env: process.env });

test('E10 another host makes the workspace from its bundles: binary and large files, modes, links; what is ignored is left out', async () => {
  const [one, two] = [host('one'), host('two')];
  const { base } = await one.prepare(id, pit.spec, never);
  const large = randomBytes(100 * 1024 ** 2);
  const { snapshot } = await one.exclusive(id, base, never, async (root) => {
    writeFileSync(join(root, 'large.bin'), large);
    writeFileSync(join(root, 'zeros.bin'), Buffer.from([0, 255, 0, 10, 13]));
    writeFileSync(join(root, 'tool.sh'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('a.txt', join(root, 'link'));
    writeIn(root, { 'build/cache': 'x', 'a name with "quotes" and ü.txt': 'named\n' });
  });
  const body = await one.bundle(id, snapshot, undefined, never);
  rmSync(join(pit.folder, 'one'), { recursive: true });

  expect(await two.restore(id, pit.spec, snapshot, [{ snapshot, read: async () => body }], never)).toMatchObject({
    base,
    snapshot,
  });
  const root = await two.root(id, snapshot, never);
  expect(readFileSync(join(root, 'large.bin')).equals(large)).toBe(true);
  expect([...readFileSync(join(root, 'zeros.bin'))]).toEqual([0, 255, 0, 10, 13]);
  expect(statSync(join(root, 'tool.sh')).mode & 0o111).toBe(0o111);
  expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(root, 'link'))).toBe('a.txt');
  expect(readFileSync(join(root, 'a name with "quotes" and ü.txt'), 'utf8')).toBe('named\n');
  expect(() => statSync(join(root, 'build'))).toThrow('ENOENT');
  expect(await two.changedFiles(id, base, snapshot)).toHaveLength(5);
});
