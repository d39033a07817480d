import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { gitIn, id, never, type Sandpit, sandpit } from './support/sandpit';

/** What must be found nowhere afterwards. */
const marker = 'ghp_MARKER';
let pit: Sandpit;
let server: Server;
let port: number;

/** A repository behind HTTP that wants a password, read by git file by file. */
beforeEach(async () => {
  pit = sandpit({ 'a.txt': 'one\n' });
  gitIn(pit.repo, 'update-server-info');
  const wanted = `Basic ${Buffer.from(`ana:${marker}`).toString('base64')}`;
  server = createServer((request, response) => {
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const path = join(pit.repo, new URL(request.url ?? '/', 'http://localhost').pathname.replace('/repo', '/.git'));
    const found = existsSync(path) && statSync(path).isFile();
    response.writeHead(found ? 200 : 404).end(found ? readFileSync(path) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  port = address.port;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  pit.remove();
});

/** A folder as the operator's home, and nothing else of this process's settings for git. */
function operator(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = join(pit.folder, 'operator');
  mkdirSync(home, { recursive: true });
  return { PATH: process.env['PATH'] ?? '', HOME: home, ...env };
}

const workspacesOf = (env: Record<string, string>) => createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env });

/** Files below the data folder that hold the marker. */
function leaked(): string {
  const { status, stdout } = spawnSync('grep', ['-rlae', marker, pit.data], { encoding: 'utf8' });
  return status === 1 ? '' : stdout;
}

test("R10.4 the operator's credentials reach the source and nothing that is kept or run", async () => {
  const askpass = join(pit.folder, 'askpass.sh');
  writeFileSync(askpass, `#!/bin/sh\ncase $1 in User*) echo ana;; *) echo ${marker};; esac\n`, { mode: 0o755 });
  const workspaces = workspacesOf(operator({ GIT_ASKPASS: askpass }));
  const progress: string[] = [];
  // The task's own password is wrong, and is not used.
  const spec = { ...pit.spec, git: `http://ben:ghp_MARKER_OF_THE_TASK@127.0.0.1:${port}/repo` };
  const { base } = await workspaces.prepare(id, spec, never, (line) => progress.push(line));

  const line = 'git remote -v; git config --list; env; cat "$(git rev-parse --git-common-dir)/config"';
  const { value } = await workspaces.exclusive(id, base, never, () =>
    workspaces.exec(id, line, { timeoutMs: 10_000, signal: never }),
  );
  expect(value.output).toContain(`http://127.0.0.1:${port}/repo`);
  expect(value.output).not.toContain(marker);
  expect(progress).toContain(`reading http://127.0.0.1:${port}/repo`);
  expect(progress.join()).not.toContain(marker);
  expect(leaked()).toBe('');
});

test('R10.4 the message of a source that refuses has no password, neither of the task nor of a configuration', async () => {
  const env = operator();
  // Git repeats the address that it made of the one it was given.
  const rewritten = `[url "http://ana:${marker}_OLD@127.0.0.1:${port}/"]\n\tinsteadOf = https://git.example/\n`;
  writeFileSync(join(env['HOME'] ?? '', '.gitconfig'), rewritten);
  for (const git of [`http://ben:${marker}@127.0.0.1:${port}/repo`, 'https://git.example/repo']) {
    const failed = await workspacesOf(env)
      .prepare(id, { ...pit.spec, git }, never)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ failure: { code: 'CLONE_FAILED' } });
    expect(String(failed)).toMatch(/cannot be read: .*127\.0\.0\.1/s);
    expect(JSON.stringify(failed) + String(failed)).not.toContain(marker);
  }
  expect(leaked()).toBe('');
});
