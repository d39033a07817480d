import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { hasBubblewrap, id, never, running, type Sandpit, sandpit, writeIn } from './support/sandpit';

const kinds = hasBubblewrap ? (['bubblewrap', 'none'] as const) : (['none'] as const);
const script = (name: string) => join(__dirname, 'support', name);
const children = new Set<ChildProcess>();

let pit: Sandpit;
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n' });
});
afterEach(async () => {
  for (const child of children) await kill(child);
  pit.remove();
});

function start(name: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.each(kinds)('sandbox: %s', (sandbox) => {
  const open = () => createWorkspaces({ dataDir: pit.data, sandbox, env: process.env });

  test('E10 a worktree of a killed worker is taken over at once: its processes are dead, its half-done work is gone', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const line = 'touch began; (setsid sleep 9181 &) ; sleep 9181';
    const root = await workspaces.root(id, base, never);
    const holder = start('hold-worktree.cjs', pit.data, sandbox, JSON.stringify(id), base, line, 'tree');
    await until(() => existsSync(join(root, 'began')) && running('sleep 9181').length > 0);
    await kill(holder);

    const seen = await workspaces.exclusive(id, base, never, async () => ({
      left: running('sleep 9181'),
      text: readFileSync(join(root, 'a.txt'), 'utf8'),
      began: existsSync(join(root, 'began')),
    }));
    expect(seen).toEqual({ value: { left: [], text: 'one\n', began: false }, snapshot: base });
  });

  test('R11.1 a setup that outlives its worker is ended before the next one begins it anew', async () => {
    const line =
      'mkdir vendor; if [ -e ../second ]; then echo fresh > vendor/x; else touch ../second; sleep 9184; echo stale > vendor/x; fi';
    const spec = { ...pit.spec, setup: [line] };
    const first = start('prepare.cjs', pit.data, sandbox, JSON.stringify(id), JSON.stringify(spec));
    await until(() => running('sleep 9184').length > 0);
    await kill(first);

    const workspaces = open();
    const { base } = await workspaces.prepare(id, spec, never);
    expect(running('sleep 9184')).toEqual([]);
    const seen = await workspaces.execClean(id, base, 'cat vendor/x', { timeoutMs: 20_000, signal: never });
    expect(seen.output).toBe('fresh\n');
  });

  test('E10 the git of a killed worker does not go on in the worktree of the next holder', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const slow = join(pit.folder, 'bin');
    writeIn(slow, {
      git: '#!/bin/sh\nPATH=$(echo "$PATH" | cut -d: -f2-)\n[ "$1" = add ] && sleep 9186\nexec git "$@"\n',
    });
    chmodSync(join(slow, 'git'), 0o755);
    const env = { ...process.env, PATH: `${slow}:${process.env['PATH']}` };
    const holder = spawn(
      process.execPath,
      [script('hold-worktree.cjs'), pit.data, sandbox, JSON.stringify(id), base, 'true', 'tree'],
      { env, stdio: 'inherit' },
    );
    children.add(holder);
    await until(() => running('sleep 9186').length > 0);
    await kill(holder);
    expect(running('sleep 9186')).toHaveLength(1);
    await workspaces.exclusive(id, base, never, async () => expect(running('sleep 9186')).toEqual([]));
  });

  test('R11.3 killAll ends what a killed worker left, without taking the worktree', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const root = await workspaces.root(id, base, never);
    const line = 'touch began; setsid sleep 9182 & sleep 9182';
    const holder = start('hold-worktree.cjs', pit.data, sandbox, JSON.stringify(id), base, line, 'tree');
    await until(() => existsSync(join(root, 'began')));
    await kill(holder);
    await workspaces.killAll(id);
    expect(running('sleep 9182')).toEqual([]);
  });

  test('R11.3 a clean copy of a killed worker is swept with its processes when the next one is made', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const holder = start(
      'hold-worktree.cjs',
      pit.data,
      sandbox,
      JSON.stringify(id),
      base,
      'setsid sleep 9184 & sleep 9184',
      'clean',
    );
    await until(() => running('sleep 9184').length > 0);
    await kill(holder);
    const [repository = ''] = readdirSync(join(pit.data, 'workspaces/acme/repositories'));
    const clean = join(pit.data, 'workspaces/acme/repositories', repository, 'clean');
    expect(readdirSync(clean)).not.toEqual([]);
    await workspaces.execClean(id, base, 'true', { timeoutMs: 20_000, signal: never });
    expect(readdirSync(clean)).toEqual([]);
    expect(running('sleep 9184')).toEqual([]);
  });
});

test('E10 a lock between processes loses no count, also when holders are killed', async () => {
  const file = join(pit.folder, 'count');
  writeFileSync(file, '0');
  const folder = join(pit.folder, 'lock');
  const counters = [1, 2, 3].map(() => start('count-under-lock.cjs', folder, file, '40'));
  await Promise.all(counters.map((child) => once(child, 'exit')));
  expect(readFileSync(file, 'utf8')).toBe('120');

  const victim = start('count-under-lock.cjs', folder, file, '100000');
  await until(() => Number(readFileSync(file, 'utf8')) > 130);
  await kill(victim);
  const before = Number(readFileSync(file, 'utf8'));
  await once(start('count-under-lock.cjs', folder, file, '10'), 'exit');
  expect(Number(readFileSync(file, 'utf8'))).toBe(before + 10);
  expect(readdirSync(folder).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
});
