import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowedSource } from '../../src/workspace/allowed-source';
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

describe('adversarial: a repository below the allowed folder', () => {
  const secret = join(outside, 'private');
  const git = (folder: string, ...args: string[]) => {
    const user = ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', '-c', 'protocol.file.allow=always'];
    execFileSync('git', ['-C', folder, ...user, ...args], { stdio: 'pipe' });
  };
  const repositoryIn = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'one');
    return folder;
  };
  const inside = (name: string) => {
    mkdirSync(join(allowed, name), { recursive: true });
    return join(allowed, name);
  };
  beforeAll(() => void repositoryIn(secret));

  const escapes: Readonly<Record<string, (at: string) => void>> = {
    'whose .git file names one outside': (at) => writeFileSync(join(at, '.git'), `gitdir: ${secret}/.git\n`),
    'whose .git file names one outside from here': (at) =>
      writeFileSync(join(at, '.git'), 'gitdir: ../../repos-of-others/private/.git\n'),
    'whose .git is a link': (at) => symlinkSync(join(secret, '.git'), join(at, '.git')),
    'that is a worktree of one outside': (at) => git(secret, 'worktree', 'add', '-q', '--detach', join(at, 'tree')),
    'that borrows the objects of one outside': (at) => {
      repositoryIn(at);
      writeFileSync(join(at, '.git/objects/info/alternates'), `${secret}/.git/objects\n`);
    },
    'that borrows from one that borrows': (at) => {
      const between = repositoryIn(inside(`between-${at.length}`));
      writeFileSync(join(between, '.git/objects/info/alternates'), `${secret}/.git/objects\n`);
      repositoryIn(at);
      writeFileSync(join(at, '.git/objects/info/alternates'), `${between}/.git/objects\n`);
    },
    'that borrows by a quoted path': (at) => {
      repositoryIn(at);
      writeFileSync(join(at, '.git/objects/info/alternates'), `"${secret}/.git/objects"\n`);
    },
    'with a common folder outside': (at) => {
      repositoryIn(at);
      writeFileSync(join(at, '.git/commondir'), join(secret, '.git'));
    },
    'with linked objects': (at) => {
      repositoryIn(at);
      renameSync(join(at, '.git/objects'), join(at, '.git/own'));
      symlinkSync(join(secret, '.git/objects'), join(at, '.git/objects'));
    },
    'with one linked object': (at) => {
      repositoryIn(at);
      const [folder = ''] = readdirSync(join(secret, '.git/objects')).filter((name) => name.length === 2);
      const [file = ''] = readdirSync(join(secret, '.git/objects', folder));
      mkdirSync(join(at, '.git/objects', folder), { recursive: true });
      symlinkSync(join(secret, '.git/objects', folder, file), join(at, '.git/objects', folder, `${file.slice(2)}00`));
    },
    'that is bare and borrows': (at) => {
      cpSync(join(secret, '.git'), at, { recursive: true });
      writeFileSync(join(at, 'objects/info/alternates'), `${secret}/.git/objects\n`);
    },
  };
  test.each(Object.entries(escapes))('%s is not allowed', (what, make) => {
    const at = inside(`escape-${Object.keys(escapes).indexOf(what)}`);
    make(at);
    const source = what.includes('worktree') ? join(at, 'tree') : at;
    expect(isAllowedSource(source, [allowed])).toBe(false);
    expect(isAllowedSource(`file://${source}`, [`file://${allowed}`])).toBe(false);
    expect(isAllowedSource(source, [allowed, outside])).toBe(!what.includes('quoted'));
  });

  test('whose name with .git, where git looks too, leads outside is not allowed', () => {
    symlinkSync(secret, join(allowed, 'other.git'));
    expect(isAllowedSource(join(allowed, 'other'), [allowed])).toBe(false);
  });

  test('that borrows and has worktrees below it is allowed', () => {
    const main = repositoryIn(inside('main'));
    git(main, 'worktree', 'add', '-q', '--detach', join(allowed, 'main-tree'));
    git(allowed, 'clone', '-q', '--shared', main, 'shared');
    for (const name of ['main', 'main-tree', 'shared'])
      expect(isAllowedSource(join(allowed, name), [allowed])).toBe(true);
    expect(isAllowedSource(`file://${main}`, [`file://${allowed}`])).toBe(true);
  });
});
