import { realpathSync } from 'node:fs';
import type { Mount, SandboxCommand } from './sandbox-command';
import { toolchainPaths } from './toolchains';

/** Where a command finds a home: empty, and gone with it. */
export const sandboxHome = '/tmp/home';

/** Memory behind the private /tmp, bytes: enough for a test run, too little to take the machine down. */
const tmpBytes = 2 * 1024 ** 3;

const systemPaths = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix',
  '/run/current-system',
];

/** /etc holds password hashes and host keys beside what programs need, so it is a list too. */
const etcPaths = [
  'alternatives', 'bash.bashrc', 'ca-certificates', 'crypto-policies', 'debian_version', 'fonts', 'host.conf', 'hosts',
  'inputrc', 'java', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'magic', 'mime.types', 'nsswitch.conf',
  'os-release', 'pki', 'protocols', 'services', 'ssl/certs', 'ssl/openssl.cnf', 'static', 'terminfo', 'timezone',
]; // biome-ignore format: a list, not a table

/**
 * The arguments before `--`: what is not named here is not there. Bubblewrap applies them in order, so a later mount
 * lies on an earlier one.
 */
export function bubblewrapArguments(command: SandboxCommand): readonly string[] {
  return [
    ...namespaces(command.network),
    ...visiblePaths(command.env['PATH'] ?? '').flatMap(readOnly),
    ...(command.network ? resolverConfiguration().flatMap(readOnly) : []),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(tmpBytes), '--tmpfs', '/tmp', '--symlink', '/tmp', '/var/tmp', '--dir', sandboxHome],
    ...command.readOnly.flatMap(readOnly),
    ...['--bind', command.root, command.root],
    ...command.mounts.flatMap(mountArguments),
    ...['--remount-ro', '/', '--chdir', command.root],
  ];
}

/** What every command with this PATH may read, whatever it works on. */
export const visiblePaths = (path: string): readonly string[] => [
  ...systemPaths,
  ...etcPaths.map((name) => `/etc/${name}`),
  ...toolchainPaths(path),
];

/** Uid 1000 and no capabilities also where the worker is root: tools that behave otherwise for root would surprise. */
function namespaces(network: boolean): readonly string[] {
  const unshared = ['user', 'pid', 'ipc', 'uts', ...(network ? [] : ['net'])].map((name) => `--unshare-${name}`);
  return [
    ...unshared,
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--cap-drop',
    'ALL',
    '--hostname',
    'sandbox',
    '--die-with-parent',
    ...['--json-status-fd', '5'],
  ];
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read_only':
      return ['--ro-bind', mount.from, mount.to];
    case 'writable':
      return ['--bind', mount.from, mount.to];
    case 'scratch':
      return ['--tmpfs', mount.to];
  }
}

const readOnly = (path: string) => ['--ro-bind-try', path, path];

/** Often a link into /run, whose target has to be there too. */
function resolverConfiguration(): readonly string[] {
  try {
    return [...new Set([realpathSync('/etc/resolv.conf'), '/etc/resolv.conf'])];
  } catch {
    return [];
  }
}
