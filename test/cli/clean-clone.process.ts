import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../support/temp-folder';
import { finished, type Ran } from './support/command-line';

const root = resolve(__dirname, '../..');
/** Installing takes a minute from npm's cache and a few from the network; the demo fetches servers where there are none. */
const cleanCloneMaxMs = 900_000;

/** How this machine reaches the network. */
const networkSettings = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'npm_config_registry',
  'PIP_INDEX_URL',
  'TEMPORAL_CLI_PATH',
];

/** As a newcomer's shell runs it: none of this process's other settings, and no npm script around it. */
function inShell(cwd: string, command: string, ...args: string[]): Promise<Ran> {
  const env = Object.fromEntries(['PATH', 'HOME', ...networkSettings].map((name) => [name, process.env[name]]));
  const options: SpawnOptions = { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] };
  return finished(spawn(command, args, options));
}

// A released archive has no history to clone.
const hasRepository = existsSync(join(root, '.git'));
const title = 'a clean clone of what is committed installs, and its demo runs to COMPLETED';

(hasRepository ? test : test.skip)(
  hasRepository ? title : `${title} (skipped: there is no .git here to clone)`,
  async () => {
    const clone = join(tempFolder('holdfast-clone-'), 'holdfast');
    const cloned = await inShell(root, 'git', 'clone', '--quiet', '--no-local', pathToFileURL(root).href, clone);
    expect(cloned).toMatchObject({ code: 0 });

    const installed = await inShell(clone, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
    if (installed.code !== 0) throw new Error(`npm ci: ${whyNotInstalled(installed)}`);

    const demo = await inShell(clone, 'npm', 'run', 'demo', '--', '--yes');
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining('COMPLETED (success)') });
    const { stdout: changed } = await inShell(clone, 'git', 'status', '--porcelain');
    expect(changed).toBe('');
  },
  cleanCloneMaxMs,
);

function whyNotInstalled({ stderr, stdout }: Ran): string {
  const unreachable = /\b(ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENOTCACHED)\b/.exec(stderr);
  const what = unreachable ? `the package registry cannot be reached (${unreachable[1]})` : 'it failed';
  return `${what}\n${stderr}${stdout}`;
}
