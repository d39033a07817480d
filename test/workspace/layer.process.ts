import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspacePort } from '../../src/activities/ports';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { commitIn, hasBubblewrap, hasProgram, id, never, type Sandpit, sandpit, writeIn } from './support/sandpit';

const kinds = hasBubblewrap ? (['bubblewrap', 'none'] as const) : (['none'] as const);
const limits = { timeoutMs: 60_000, signal: never };

/** A package with a dependency that needs no registry. */
const packageFiles = {
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { dep: 'file:./dep' } }),
  'dep/package.json': JSON.stringify({ name: 'dep', version: '1.0.0', main: 'index.js' }),
  'dep/index.js': 'module.exports = 41 + 1;\n',
  'test.js': "if (require('dep') !== 42) process.exit(1); console.log('dep works');\n",
  '.gitignore': 'node_modules/\n',
};

describe.each(kinds)('dependency layers, sandbox: %s', (sandbox) => {
  let pit: Sandpit;
  let workspaces: WorkspacePort;
  const start = (files: Readonly<Record<string, string>>) => {
    pit = sandpit(files);
    workspaces = createWorkspaces({ dataDir: pit.data, sandbox, env: process.env });
  };
  afterEach(() => pit.remove());

  const exec = async (base: string, line: string) =>
    workspaces.exclusive(id, base, never, () => workspaces.exec(id, line, limits));
  const layers = () => {
    const folder = join(pit.data, 'workspaces/acme/layers');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test('npm by its manifest: installed once, there for commands and in clean copies, in no snapshot', async () => {
    start(packageFiles);
    const progress: string[] = [];
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never, (line) => progress.push(line));
    expect(progress).toContain('setup: npm install --no-audit --no-fund --no-package-lock');
    expect(await exec(base, 'node test.js')).toMatchObject({
      value: { exitCode: 0, output: 'dep works\n' },
      snapshot: base,
    });
    expect(await workspaces.execClean(id, base, 'node test.js', limits)).toMatchObject({
      exitCode: 0,
      output: 'dep works\n',
    });

    const again: string[] = [];
    await workspaces.prepare({ ...id, attempt: 'repair/2' }, { ...pit.spec, setup: 'auto' }, never, (line) =>
      again.push(line),
    );
    expect(again.filter((line) => line.startsWith('setup:'))).toEqual([]);
    expect(layers()).toHaveLength(1);
  });

  test('a manifest without dependencies needs no setup', async () => {
    start({
      'package.json': '{"name":"plain","scripts":{"test":"node --test"}}',
      'x.test.js': "require('node:test')('ok', () => {});\n",
    });
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
    expect(layers()).toEqual([]);
    expect(await workspaces.execClean(id, base, 'npm test', limits)).toMatchObject({ end: 'exited', exitCode: 0 });
  });

  test('shell lines: once per base commit; what they built is a copy that the agent may build again', async () => {
    start({
      'make.sh': 'mkdir -p out lib; echo "built from $(cat in.txt)" > out/x; echo lib > lib/x\n',
      'in.txt': 'v1\n',
      '.gitignore': 'out/\n',
    });
    const spec = { ...pit.spec, setup: ['sh make.sh', 'echo $HOME > where'] };
    const { base } = await workspaces.prepare(id, spec, never);
    const first = await exec(base, 'cat out/x lib/x; git status --porcelain --ignored=no; echo mine > out/x');
    expect(first.value.output).toBe('built from v1\nlib\n'); // git status has nothing to say
    expect(first.snapshot).toBe(base);
    expect(await workspaces.changedFiles(id, base, first.snapshot)).toEqual([]);
    expect((await workspaces.execClean(id, base, 'cat out/x; sh make.sh 2>/dev/null; cat out/x', limits)).output).toBe(
      'built from v1\nbuilt from v1\n',
    );

    commitIn(pit.repo, { 'in.txt': 'v2\n' });
    const second = { ...id, attempt: 'repair/2' };
    const later = await workspaces.prepare(second, spec, never);
    expect((await workspaces.execClean(second, later.base, 'cat out/x', limits)).output).toBe('built from v2\n');
    expect(layers()).toHaveLength(2);
  });

  test('E10 a reset spares the layer, and puts back what setup built', async () => {
    start({ 'a.txt': 'one\n', '.gitignore': 'out/\nnode_modules/\n' });
    const { base } = await workspaces.prepare(
      id,
      { ...pit.spec, setup: ['mkdir -p node_modules/m; echo m > node_modules/m/x', 'mkdir out; echo built > out/x'] },
      never,
    );
    await expect(
      workspaces.exclusive(id, base, never, async () => {
        await workspaces.exec(id, 'rm -rf out; echo broken > a.txt', limits);
        throw new Error('died');
      }),
    ).rejects.toThrow('died');
    expect((await exec(base, 'cat a.txt out/x node_modules/m/x')).value.output).toBe('one\nbuilt\nm\n');
  });

  /** A package whose tests run on what `prepare` builds, as a fresh clone's `npm install` would. */
  const builtFiles = {
    ...packageFiles,
    'package.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      scripts: { prepare: 'mkdir -p dist && cp src.js dist/index.js', postinstall: 'cp src.js node_modules/made.js' },
      dependencies: { dep: 'file:./dep' },
    }),
    'src.js': 'module.exports = 1;\n',
    'test.js': "console.log(require('./dist/index.js'), require('./node_modules/made.js'), require('dep'));\n",
    '.gitignore': 'node_modules\ndist\n',
  };

  test('R3.3 a check runs on what the candidate builds, never on what setup built from the base', async () => {
    start(builtFiles);
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
    expect((await workspaces.execClean(id, base, 'node test.js', limits)).output).toBe('1 1 42\n');
    const { snapshot } = await workspaces.exclusive(id, base, never, async (root) =>
      writeIn(root, { 'src.js': 'module.exports = 2;\n', 'dep/index.js': 'module.exports = 43;\n' }),
    );
    expect((await workspaces.execClean(id, snapshot, 'node test.js', limits)).output).toBe('2 2 43\n');
    expect((await workspaces.execClean(id, base, 'node test.js', limits)).output).toBe('1 1 42\n'); // nothing came back
  });

  test('R3.3 another base with equal manifests gets nothing that was built from the first', async () => {
    start(builtFiles);
    await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
    commitIn(pit.repo, { 'src.js': 'module.exports = 3;\n', 'dep/index.js': 'module.exports = 44;\n' });
    const second = { ...id, attempt: 'repair/2' };
    const { base } = await workspaces.prepare(second, { ...pit.spec, setup: 'auto' }, never);
    expect((await workspaces.execClean(second, base, 'node test.js', limits)).output).toBe('3 3 44\n');
    const inWorktree = await workspaces.exclusive(second, base, never, () =>
      workspaces.exec(second, 'node test.js', limits),
    );
    expect(inWorktree).toMatchObject({ value: { output: '3 3 44\n' }, snapshot: base });
  });

  test('R3.3 a candidate that breaks its own build fails the check, with what the build said', async () => {
    start(builtFiles);
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
    const { snapshot } = await workspaces.exclusive(id, base, never, () => workspaces.exec(id, 'rm src.js', limits));
    const checked = await workspaces.execClean(id, snapshot, 'echo passed', limits);
    expect(checked.end).toBe('exited');
    expect(checked.exitCode).not.toBe(0);
    expect(checked.output).toContain('src.js');
    expect(checked.output).not.toContain('passed');
    const inWorktree = await exec(snapshot, 'echo still works');
    expect(inWorktree.value).toMatchObject({ exitCode: 0, output: expect.stringContaining('still works\n') });
  });

  test('R3.3 shell lines that only build are run again from the candidate; what others left beside dependencies is left out', async () => {
    start({ 'in.txt': 'v1\n', '.gitignore': 'out\nmixed\nfetched\nnode_modules\n' });
    const setup = [
      'mkdir -p node_modules/m && cp in.txt node_modules/m/x && cp in.txt mixed', // dependencies, and something beside them
      'mkdir out && cp in.txt out/x',
      'test -e fetched && exit 1; cp in.txt fetched; test -e out/x', // can be repeated
    ];
    const said: string[] = [];
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup }, never, (line) => said.push(line));
    expect(said).toContainEqual(expect.stringMatching(/^left out of checks: .*mixed/));
    const { snapshot } = await workspaces.exclusive(id, base, never, async (root) =>
      writeIn(root, { 'in.txt': 'v2\n' }),
    );
    const look = 'cat out/x fetched; ls; echo; cat node_modules/m/x';
    expect((await workspaces.execClean(id, snapshot, look, limits)).output).toBe(
      'v2\nv2\nfetched\nin.txt\nnode_modules\nout\n\nv1\n',
    );
  });

  test('a setup that fails is environment_drift with the end of its output, and is tried again next time', async () => {
    start({ 'a.txt': '1' });
    const flag = join(pit.folder, 'fixed');
    const lines = [
      'true',
      `echo reading; echo the registry is down >&2; test -e ${sandbox === 'none' ? flag : 'b.txt'}`,
    ];
    await expect(workspaces.prepare(id, { ...pit.spec, setup: lines }, never)).rejects.toMatchObject({
      name: 'WorkspaceError',
      failure: { class: 'environment_drift', code: 'SETUP_FAILED' },
      message: expect.stringMatching(/exit code 1[\s\S]*reading\nthe registry is down/),
      suggestedAction: expect.stringContaining('workspace.setup'),
    });
    writeFileSync(flag, '');
    commitIn(pit.repo, { 'b.txt': 'b' });
    await expect(workspaces.prepare(id, { ...pit.spec, setup: lines }, never)).resolves.toMatchObject({
      setupMs: expect.any(Number),
    });
  });

  test('two attempts that need the same layer at once make it once', async () => {
    start({ 'a.txt': '1' });
    const lines: string[] = [];
    const prepare = (attempt: string) =>
      workspaces.prepare({ ...id, attempt }, { ...pit.spec, setup: ['sleep 0.3; echo x > made'] }, never, (line) =>
        lines.push(line),
      );
    await Promise.all([prepare('repair/1'), prepare('repair/2'), prepare('other/1')]);
    expect(lines.filter((line) => line.startsWith('setup:'))).toHaveLength(1);
  });

  test('a clean copy is what the snapshot says, takes nothing back, and is gone afterwards', async () => {
    start({ 'a.txt': 'one\n', '.gitignore': 'junk\n' });
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const { snapshot } = await workspaces.exclusive(id, base, never, async (root) =>
      writeIn(root, { 'a.txt': 'two\n', junk: 'x' }),
    );
    const seen = await workspaces.execClean(
      id,
      snapshot,
      'cat a.txt; ls; git rev-parse HEAD; echo spoilt > a.txt',
      limits,
    );
    expect(seen.output).toBe(`two\na.txt\n${snapshot}\n`);
    expect(readFileSync(join(await workspaces.root(id, snapshot, never), 'a.txt'), 'utf8')).toBe('two\n');
    const [repository = ''] = readdirSync(join(pit.data, 'workspaces/acme/repositories'));
    const folder = join(pit.data, 'workspaces/acme/repositories', repository);
    expect(readdirSync(join(folder, 'clean'))).toEqual([]);
    expect(readdirSync(join(folder, 'mirror.git/worktrees'))).toHaveLength(1);
  });

  test('a check whose program is missing keeps the code that says so', async () => {
    start({ 'a.txt': '1' });
    const { base } = await workspaces.prepare(id, pit.spec, never);
    expect(await workspaces.execClean(id, base, 'no-such-program', limits)).toMatchObject({
      end: 'exited',
      exitCode: 127,
    });
  });
});

if (hasBubblewrap) {
  test('in the sandbox the layer is read-only, and only its scratch folders take writes', async () => {
    const pit = sandpit(packageFiles);
    const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'bubblewrap', env: process.env });
    try {
      const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
      const exec = async (line: string) =>
        (await workspaces.exclusive(id, base, never, () => workspaces.exec(id, line, limits))).value;
      expect((await exec('echo poison > node_modules/x')).output).toContain('Read-only');
      expect((await exec('echo poison > node_modules/.cache/x; rm -rf node_modules')).exitCode).not.toBe(0);
      expect((await workspaces.execClean(id, base, 'ls -A node_modules/.cache; node test.js', limits)).output).toBe(
        'dep works\n',
      );
      expect(lstatSync(join(await workspaces.root(id, base, never), 'node_modules')).isDirectory()).toBe(true);
    } finally {
      pit.remove();
    }
  });

  test('a link where a layer belongs leads no mount and no file out of the worktree', async () => {
    const pit = sandpit({ 'packages/a/x': '1', '.gitignore': 'node_modules/\n' });
    const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'bubblewrap', env: process.env });
    try {
      const { base } = await workspaces.prepare(
        id,
        { ...pit.spec, setup: ['mkdir -p packages/a/node_modules/m'] },
        never,
      );
      const outside = join(pit.folder, 'outside');
      writeIn(outside, { keep: 'kept' });
      const swapped = await workspaces.exclusive(id, base, never, () =>
        workspaces.exec(id, `rm -rf packages; ln -s ${outside} packages`, limits),
      );
      await workspaces.exclusive(id, swapped.snapshot, never, () => workspaces.exec(id, 'true', limits));
      expect(readdirSync(outside)).toEqual(['keep']);
    } finally {
      pit.remove();
    }
  });
}

test('npm by its lock: npm ci', async () => {
  const pit = sandpit(packageFiles);
  const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
  try {
    execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
      cwd: pit.repo,
      stdio: 'ignore',
    });
    commitIn(pit.repo, {});
    const progress: string[] = [];
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never, (line) => progress.push(line));
    expect(progress).toContain('setup: npm ci --no-audit --no-fund');
    expect((await workspaces.execClean(id, base, 'node test.js', limits)).exitCode).toBe(0);
  } finally {
    pit.remove();
  }
});

test('R3.3 a folder of the repository that pnpm would copy is refused, for a check would test the copy', async () => {
  const lock =
    "lockfileVersion: '9.0'\npackages:\n  dep@file:dep:\n    resolution: {directory: dep, type: directory}\n";
  const pit = sandpit({ ...packageFiles, 'pnpm-lock.yaml': lock });
  const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
  try {
    await expect(workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never)).rejects.toMatchObject({
      failure: { class: 'environment_drift', code: 'SETUP_FAILED' },
      message: expect.stringContaining('"dep"'),
    });
  } finally {
    pit.remove();
  }
});

if (hasProgram('python3')) {
  test('python by its requirements: a virtual environment that is in force for commands', async () => {
    const pit = sandpit({
      'requirements.txt': '# nothing that needs a registry\n',
      'x.py': 'import sys; print(sys.prefix != sys.base_prefix)\n',
    });
    const workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
    try {
      const { base } = await workspaces.prepare(id, { ...pit.spec, setup: 'auto' }, never);
      expect(
        await workspaces.exclusive(id, base, never, () => workspaces.exec(id, 'python x.py', limits)),
      ).toMatchObject({ value: { output: 'True\n' }, snapshot: base });
      expect(await workspaces.execClean(id, base, 'python x.py && pip --version', limits)).toMatchObject({
        exitCode: 0,
        output: expect.stringMatching(/^True\npip /),
      });
    } finally {
      pit.remove();
    }
  });
}
