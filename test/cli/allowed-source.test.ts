import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowedSource } from '../../src/cli/allowed-source';
import { tempFolder } from '../support/temp-folder';

const root = tempFolder('holdfast-sources-');
const allowed = join(root, 'repos');
const outside = join(root, 'repos-of-others');
for (const folder of [join(allowed, 'a'), outside]) mkdirSync(folder, { recursive: true });
symlinkSync(outside, join(allowed, 'link'));

test.each([
  [allowed, true],
  [join(allowed, 'a'), true],
  [join(allowed, 'not-yet'), true],
  [outside, false],
  [root, false],
  [join(allowed, '..', 'repos-of-others'), false],
  [join(allowed, 'link'), false],
  [`file://${allowed}/a`, false],
])('adversarial: the folder %s below one allowed folder: %s', (git, expected) => {
  expect(isAllowedSource(git, [allowed])).toBe(expected);
});

test.each([
  ['https://git.example/team', true],
  ['https://git.example/team/a.git', true],
  ['https://git.example/team-two/a.git', false],
  ['https://git.example/team/../other/a.git', false],
  ['https://git.example.evil/team/a.git', false],
  ['http://git.example/team/a.git', false],
  ['git@host:team/a.git', true],
  ['git@host:teams/a.git', false],
  ['git@hostess:team/a.git', false],
])('adversarial: the URL %s below allowed URLs: %s', (git, expected) => {
  expect(isAllowedSource(git, ['https://git.example/team', 'git@host:team/'])).toBe(expected);
});

test('where nothing is allowed, nothing is', () => {
  expect(isAllowedSource(allowed, [])).toBe(false);
});
