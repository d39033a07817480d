import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broughtFiles } from '../../../src/workspace/brought/brought-files';
import { layFiles } from '../../../src/workspace/brought/lay-files';
import { filesHash, readFiles } from '../../../src/workspace/brought/read-files';
import { refuseReachable } from '../../../src/workspace/brought/refuse-reachable';
import type { Host } from '../../../src/workspace/host';
import { workspacePaths } from '../../../src/workspace/paths';
import type { Sandbox } from '../../../src/workspace/sandbox/sandbox';
import { tempFolder } from '../../support/temp-folder';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder('brought-');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
const suite = () => folderOf({ 'a.sh': 'one', 'tests/b.txt': 'two' });
const hashOf = async (folder: string) => filesHash(await readFiles(folder));

test('R3.4 a set of files is known by its paths, contents and what may be run', async () => {
  const folder = suite();
  const hash = await hashOf(folder);
  expect(await hashOf(suite())).toBe(hash);
  chmodSync(join(folder, 'a.sh'), 0o755);
  const executable = await hashOf(folder);
  expect(executable).not.toBe(hash);
  writeFileSync(join(folder, 'tests/b.txt'), 'three');
  expect(await hashOf(folder)).not.toBe(executable);
});

test.each([
  ['a link', (folder: string) => symlinkSync('/etc/passwd', join(folder, 'link'))],
  ['a .git', (folder: string) => mkdirSync(join(folder, 'tests', '.git'))],
])('R3.4 %s cannot be laid over a copy', async (_what, spoil) => {
  const folder = suite();
  spoil(folder);
  await expect(readFiles(folder)).rejects.toMatchObject({ failure: { code: 'FILES_UNFIT' } });
});

test('R3.4 an empty folder is no test', async () => {
  await expect(readFiles(folderOf({}))).rejects.toMatchObject({ failure: { code: 'FILES_UNFIT' } });
});

test('R3.4 files take the place of what is there, and no link leads them out of the copy', async () => {
  const [outside, root] = [folderOf({ 'mine.txt': 'mine' }), folderOf({ 'a.sh': 'old' })];
  symlinkSync(outside, join(root, 'tests'));
  await layFiles(root, await readFiles(suite()));
  expect(readFileSync(join(root, 'a.sh'), 'utf8')).toBe('one');
  expect(readFileSync(join(root, 'tests/b.txt'), 'utf8')).toBe('two');
  expect(existsSync(join(outside, 'b.txt'))).toBe(false);

  const other = folderOf({});
  symlinkSync(join(outside, 'mine.txt'), join(other, 'a.sh'));
  await layFiles(other, await readFiles(suite()));
  expect(readFileSync(join(outside, 'mine.txt'), 'utf8')).toBe('mine');
  expect(statSync(join(other, 'a.sh')).isFile()).toBe(true);
});

test('R3.4 only the files that the contract means are brought', async () => {
  const folder = suite();
  const files = { hidden: folder };
  const hash = await hashOf(folder);
  expect(await broughtFiles({ files }, { name: 'hidden', hash })).toHaveLength(2);
  await expect(broughtFiles({ files }, { name: 'other', hash })).rejects.toMatchObject({
    failure: { code: 'FILES_MISSING' },
  });
  writeFileSync(join(folder, 'a.sh'), 'changed');
  await expect(broughtFiles({ files }, { name: 'hidden', hash })).rejects.toMatchObject({
    failure: { code: 'FILES_CHANGED' },
  });
});

test('R3.4 where commands of an agent could read the files, or in no sandbox, no sealed test is made', async () => {
  const data = tempFolder('data-');
  const source = tempFolder('source-');
  const outside = suite();
  const host = (hidden: string, kind: Sandbox['kind'] = 'bubblewrap') =>
    ({
      files: { hidden },
      env: { PATH: '/usr/bin' },
      readOnly: [],
      paths: workspacePaths(join(data, 'workspaces')),
      sandbox: async () => ({ kind, detail: '', wrap: () => [] }),
    }) as unknown as Host;
  const brought = { name: 'hidden', hash: '' };
  const codeOf = (at: Host) =>
    refuseReachable(at, { source }, brought).then(
      () => 'allowed',
      (error: { failure: { code: string } }) => error.failure.code,
    );
  expect(await codeOf(host(outside))).toBe('allowed');
  for (const place of [
    '/usr/share',
    '/opt/tests',
    '/',
    join(source, 'tests'),
    source,
    join(data, 'workspaces', 'x'),
    data,
  ])
    expect([place, await codeOf(host(place))]).toEqual([place, 'FILES_REACHABLE']);
  expect(await codeOf(host(outside, 'none'))).toBe('SANDBOX_MISSING');
});
