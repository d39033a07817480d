import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { toolchainPaths } from '../../../src/workspace/sandbox/toolchains';
import { tempFolder } from '../../support/temp-folder';

const root = tempFolder('holdfast-tools-');
const home = join(root, 'people/ana');
for (const folder of ['.ssh', 'bin', '.cargo/bin', '.rustup', 'sdk/one/bin'])
  mkdirSync(join(home, folder), { recursive: true });
symlinkSync(home, join(root, 'link-to-home'));

test.each([
  ['the home folder itself', home],
  ['the home folder with a slash', `${home}/`],
  ['the folder of all homes', join(root, 'people')],
  ['a folder further above', root],
  ['the root', '/'],
  ['a link to the home folder', join(root, 'link-to-home')],
  ['a detour to the home folder', `${home}/bin/..`],
])('R10.4 adversarial: a PATH that names %s shows nothing that holds the keys in it', (_what, entry) => {
  const shown = toolchainPaths(entry, home);
  expect(
    shown.filter((path) => join(home, '.ssh').startsWith(`${path}/`) || path === join(root, 'link-to-home')),
  ).toEqual([]);
});

test('R10.4 tools in a home folder are shown by their own folders', () => {
  expect(toolchainPaths(`${home}/bin:${home}/.cargo/bin:${home}/sdk/one/bin`, home).toSorted()).toEqual(
    [`${home}/.cargo/bin`, `${home}/.rustup`, `${home}/bin`, `${home}/sdk/one`].toSorted(),
  );
});
