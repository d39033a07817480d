import type { WorkspaceSpec } from '../../domain/contract/contract';
import { shortHash } from '../paths';
import { workspaceError } from '../workspace-errors';
import type { CommitFiles } from './commit-files';

/** What has to run once to give a checkout its dependencies. */
export interface SetupPlan {
  /** Equal where the outcome would be: over source, base commit and lines. Any file of the commit may decide what an install does. */
  readonly key: string;
  /** Who wrote the lines: only of a package manager is it known what its line does. */
  readonly by: 'operator' | 'package_managers';
  readonly lines: readonly string[];
  /** For `setup` and for every later command; `{layer}` and `{root}` stand for the folders. */
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined where nothing needs to be set up. */
export async function setupPlan(
  setup: WorkspaceSpec['setup'],
  base: string,
  source: string,
  files: CommitFiles,
): Promise<SetupPlan | undefined> {
  if (setup !== 'auto')
    return setup.length === 0 ? undefined : withKey([source, base], { by: 'operator', lines: setup, env: {} });
  const parts = (await Promise.all([node(files), python(files), go(files), cargo(files)])).filter(
    (part) => part !== undefined,
  );
  if (parts.length === 0) return undefined;
  return withKey([source, base, process.version], {
    by: 'package_managers',
    lines: parts.flatMap((part) => part.lines),
    env: Object.assign({}, ...parts.map((part) => part.env)),
  });
}

type Part = Pick<SetupPlan, 'lines' | 'env'>;

/** Changes with what a layer holds, so that one of another kind is not taken for it. */
const layerVersion = 2;

function withKey(facts: readonly string[], plan: Omit<SetupPlan, 'key'>): SetupPlan {
  return { key: shortHash(JSON.stringify([layerVersion, facts, plan])), ...plan };
}

async function node(files: CommitFiles): Promise<Part | undefined> {
  const manifest = await files.read('package.json');
  if (manifest === undefined || !namesPackages(manifest)) return undefined;
  const pnpmLock = await files.read('pnpm-lock.yaml');
  if (pnpmLock !== undefined) refuseCopies(pnpmLock);
  if (pnpmLock !== undefined) return { lines: ['pnpm install --frozen-lockfile'], env: {} };
  const locked = (await files.hash('package-lock.json')) ?? (await files.hash('npm-shrinkwrap.json'));
  return {
    lines: [locked ? 'npm ci --no-audit --no-fund' : 'npm install --no-audit --no-fund --no-package-lock'],
    env: {},
  };
}

/** pnpm copies a folder that a manifest names by `file:`, and a check would test that copy of the base. */
function refuseCopies(pnpmLock: string): void {
  const folder = /\{directory: ([^,}]+), type: directory\}/.exec(pnpmLock)?.[1];
  if (folder === undefined) return;
  throw workspaceError(
    'SETUP_FAILED',
    `pnpm would copy the repository's own folder "${folder}" into node_modules, where changes to it are not seen.`,
    'Name it by workspace: or link: in package.json, and not by file: or as injected.',
  );
}

const packageFields = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'workspaces',
] as const;

function namesPackages(manifest: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(manifest);
  } catch {
    return false; // a broken manifest is for the agent to repair, not for setup to trip over
  }
  if (typeof parsed !== 'object' || parsed === null) return false;
  return Object.entries(parsed).some(
    ([field, value]) => packageFields.some((name) => name === field) && sizeOf(value) > 0,
  );
}

const sizeOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0);

/** Dependencies and not the project itself: an installed copy of it would be tested instead of what the agent writes. */
const pyprojectRequirements = `.venv/bin/python - <<'EOF' > .venv/requirements.txt
import tomllib
project = tomllib.load(open('pyproject.toml', 'rb')).get('project', {})
extras = project.get('optional-dependencies', {})
print('\\n'.join(project.get('dependencies', []) + [line for name in ('dev', 'test', 'tests') for line in extras.get(name, [])]))
EOF
.venv/bin/pip install -r .venv/requirements.txt`;

async function python(files: CommitFiles): Promise<Part | undefined> {
  const lists = [];
  for (const path of ['requirements.txt', 'requirements-dev.txt']) if (await files.hash(path)) lists.push(`-r ${path}`);
  const project = await files.read('pyproject.toml');
  const fromProject = lists.length === 0 && project !== undefined && /^\s*\[project\]/m.test(project);
  if (lists.length === 0 && !fromProject) return undefined;
  return {
    lines: ['python3 -m venv .venv', fromProject ? pyprojectRequirements : `.venv/bin/pip install ${lists.join(' ')}`],
    env: { PYTHONPATH: '{root}/src:{root}', PYTHONDONTWRITEBYTECODE: '1' },
  };
}

async function go(files: CommitFiles): Promise<Part | undefined> {
  const module = await files.read('go.mod');
  if (module === undefined || !/^\s*require\b/m.test(module) || (await files.hash('vendor/modules.txt')))
    return undefined;
  return { lines: ['go mod download'], env: { GOMODCACHE: '{layer}/go-modules', GOTOOLCHAIN: 'local' } };
}

async function cargo(files: CommitFiles): Promise<Part | undefined> {
  const manifest = await files.read('Cargo.toml');
  if (manifest === undefined || !/^\s*\[(.*[-.])?(dependencies|workspace)\b/m.test(manifest)) return undefined;
  return {
    lines: [(await files.hash('Cargo.lock')) ? 'cargo fetch --locked' : 'cargo fetch'],
    env: { CARGO_HOME: '{layer}/cargo' },
  };
}
