import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '../git/git';

/** Facts of a person's place and language; everything else of the worker's environment may be a secret. */
const passedOn = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'];

/** What package managers need to reach their registry; for `setup` only, which the operator wrote. */
const forRegistries = [
  /^(npm_config|NPM_CONFIG|PIP|UV|GO|CARGO|RUSTUP)_?(registry|REGISTRY|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|CERT|DEFAULT_TIMEOUT|PROXY|SUMDB|NOSUMDB|NOSUMCHECK|PRIVATE|FLAGS)$/,
  /^(https?|all|no)_proxy$/i,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/,
];

/** The environment of a command: an allow list, so that a new secret in the worker's is not one of the agent's. */
export function commandEnvironment(own: Environment, home: string): Record<string, string> {
  return {
    ...picked(own, (name) => passedOn.includes(name)),
    ...versionManagerHomes(own),
    PATH: programPath(own['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
    HOME: home,
    USER: 'agent',
    LOGNAME: 'agent',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: 'true', // test runners end instead of watching
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0', // the git folder is read-only here
    npm_config_update_notifier: 'false',
  };
}

/** Of `setup` as well: how this place reaches its package registries. */
export function registryEnvironment(own: Environment): Record<string, string> {
  return picked(own, (name) => forRegistries.some((pattern) => pattern.test(name)));
}

/** The folders of the worker's own npm run are not the agent's, and the node that runs the worker is there for it. */
function programPath(path: string): string {
  const folders = path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && !/node_modules|node-gyp-bin/.test(folder));
  return [...new Set([...folders, dirname(process.execPath)])].join(delimiter);
}

/** Starters of version managers look below HOME, which is another one in the sandbox. */
function versionManagerHomes(own: Environment): Record<string, string> {
  const homes = {
    RUSTUP_HOME: '.rustup',
    PYENV_ROOT: '.pyenv',
    RBENV_ROOT: '.rbenv',
    VOLTA_HOME: '.volta',
    ASDF_DATA_DIR: '.asdf',
  };
  return Object.fromEntries(
    Object.entries(homes).map(([name, folder]) => [name, own[name] ?? join(homedir(), folder)]),
  );
}

function picked(own: Environment, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value !== undefined && wanted(name) ? [[name, value]] : [])),
  );
}
