import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { gitIn, id, never, sandpit, writeIn } from './support/sandpit';

const daemon = join(gitIn('/', '--exec-path'), 'git-daemon');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

// Some distributions leave the daemon out of git.
if (existsSync(daemon)) {
  test('a source behind a URL is cloned, and the branch of a commit is made in its mirror', async () => {
    const pit = sandpit({ 'a.txt': 'one\n' });
    const port = await freePort();
    const args = ['--verbose', '--listen=127.0.0.1', `--port=${port}`, `--base-path=${pit.folder}`, '--export-all'];
    const server = spawn(daemon, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await once(server.stderr, 'data'); // it says that it is ready
      const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
      const { base } = await workspaces.prepare(id, { ...pit.spec, git: `git://127.0.0.1:${port}/repo` }, never);
      const work = async (root: string) => writeIn(root, { 'a.txt': 'fixed\n' });
      const { snapshot } = await workspaces.exclusive(id, base, never, work);
      const commit = await workspaces.commit(id, snapshot, 'holdfast/repair-1', 'Repair a');
      expect(await workspaces.commit(id, snapshot, 'holdfast/repair-1', 'Repair a')).toBe(commit);
      const root = await workspaces.root(id, base, never);
      expect(gitIn(root, 'show', 'holdfast/repair-1:a.txt')).toBe('fixed');
      expect(gitIn(pit.repo, 'branch', '--list', 'holdfast/*')).toBe('');
      await expect(workspaces.commit(id, base, 'holdfast/repair-1', 'Other')).rejects.toMatchObject({
        failure: { code: 'BRANCH_EXISTS' },
      });
    } finally {
      server.kill('SIGKILL');
      await once(server, 'exit');
      pit.remove();
    }
  });
} else {
  test('without the git daemon nothing is served here', () => expect(existsSync(daemon)).toBe(false));
}
