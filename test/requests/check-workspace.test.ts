import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { checkWorkspace } from '../../src/requests/running/check-workspace';
import { tempFolder } from '../support/temp-folder';

const root = tempFolder('holdfast-check-');
const config = loadConfig({ cwd: root, env: {} });
const spec = (git: string, ref = 'HEAD') => ({ git, ref, setup: 'auto' as const });

const repo = join(root, 'repo');
mkdirSync(join(repo, 'inner'), { recursive: true });
const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'pipe' });
git('init', '-q', '--initial-branch=main');
git('-c', 'user.name=t', '-c', 'user.email=t@t.invalid', 'commit', '-q', '--allow-empty', '-m', 'one');
execFileSync('git', ['clone', '-q', '--bare', repo, join(root, 'bare.git')], { stdio: 'pipe' });

test('a repository, a bare one, and a URL that cannot be seen from here pass', async () => {
  await checkWorkspace(config, spec(repo, 'main'));
  await checkWorkspace(config, spec(join(root, 'bare.git'), 'main'));
  await checkWorkspace(config, spec('https://git.example/a.git', 'anything'));
});

test.each([
  ['a folder that is not there', join(root, 'none'), 'HEAD', 'does not exist'],
  ['no repository', root, 'HEAD', 'is no git repository'],
  ['a folder inside one', join(repo, 'inner'), 'HEAD', 'is a folder inside a git repository'],
  ['an unknown ref', repo, 'release', 'has no commit "release"'],
  ['a ref that looks like an option', repo, '--all', 'has no commit "--all"'],
])('%s is refused', async (_what, place, ref, expected) => {
  await expect(checkWorkspace(config, spec(place, ref))).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(expected),
  });
});

test('R10.4 what is said of an address has no secret in it, neither of the task nor of the configuration', async () => {
  const strict = { ...config, workspace: { ...config.workspace, sources: ['https://ana:MARKER@git.example/team'] } };
  const refused = checkWorkspace(strict, spec('https://ben:MARKER@git.example/other.git'));
  await expect(refused).rejects.toMatchObject({
    message: 'A workspace may not come from https://git.example/other.git.',
    next: 'The configuration allows: https://git.example/team.',
  });
});

test('a source that the configuration does not allow is refused first', async () => {
  const strict = { ...config, workspace: { ...config.workspace, sources: ['/srv'] } };
  await expect(checkWorkspace(strict, spec(repo))).rejects.toMatchObject({ next: 'The configuration allows: /srv.' });
});
